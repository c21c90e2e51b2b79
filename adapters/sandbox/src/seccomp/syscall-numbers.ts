/** What a filter and the self-test's program must know of a processor. */
export interface SystemCalls {
  /** `AUDIT_ARCH_…` of the kernel. */
  readonly architecture: number;
  /** Numbers from here on belong to another way of calling (x32), with other numbers for the same calls. */
  readonly foreignFrom?: number;
  readonly numbers: Readonly<Record<SystemCall, number | undefined>>;
}

/** Calls that programs do without; the kernel's attack surface is smaller without them. */
export type BlockedCall = (typeof blockedCalls)[number];
/** Calls whose arguments decide. */
type JudgedCall =
  | "socket"
  | "socketpair"
  | "ioctl"
  | "clone"
  | "clone3"
  | "unshare"
  | "chmod"
  | "fchmod"
  | "fchmodat"
  | "fchmodat2"
  | "creat"
  | "mknod"
  | "mknodat"
  | "open"
  | "openat2";
/** Calls that only our own small programs make. */
type OwnCall =
  | "close_range"
  | "prlimit64"
  | "execve"
  | "connect"
  | "openat"
  | "read"
  | "close"
  | "write"
  | "exit"
  | "kill"
  | "readlinkat"
  | "sendto"
  | "bind"
  | "listen"
  | "sendmsg";
export type SystemCall = BlockedCall | JudgedCall | OwnCall;

export const blockedCalls = [
  // Other processes.
  "ptrace",
  "process_vm_readv",
  "process_vm_writev",
  "kcmp",
  "pidfd_getfd",
  // Mounts and roots.
  "mount",
  "umount2",
  "pivot_root",
  "chroot",
  "open_tree",
  "open_tree_attr",
  "move_mount",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
  "setns",
  "open_by_handle_at",
  "quotactl",
  "quotactl_fd",
  // Keys of the kernel.
  "keyctl",
  "add_key",
  "request_key",
  // Large, often faulty parts of the kernel.
  "bpf",
  "userfaultfd",
  "perf_event_open",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "fanotify_init",
  // The machine as a whole.
  "clock_settime",
  "settimeofday",
  "clock_adjtime",
  "adjtimex",
  "kexec_load",
  "kexec_file_load",
  "init_module",
  "finit_module",
  "delete_module",
  "reboot",
  "swapon",
  "swapoff",
  "acct",
  "syslog",
  "sethostname",
  "setdomainname",
  "vhangup",
  "iopl",
  "ioperm",
] as const;

/** Numbers that are the same on all processors. */
const everywhere = {
  pidfd_getfd: 438,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  open_tree_attr: 467,
  quotactl_fd: 443,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  clone3: 435,
  close_range: 436,
  openat2: 437,
  fchmodat2: 452,
};

const x64: SystemCalls = {
  architecture: 0xc000003e,
  foreignFrom: 0x40000000,
  numbers: {
    ...everywhere,
    ptrace: 101,
    process_vm_readv: 310,
    process_vm_writev: 311,
    kcmp: 312,
    mount: 165,
    umount2: 166,
    pivot_root: 155,
    chroot: 161,
    setns: 308,
    open_by_handle_at: 304,
    quotactl: 179,
    keyctl: 250,
    add_key: 248,
    request_key: 249,
    bpf: 321,
    userfaultfd: 323,
    perf_event_open: 298,
    fanotify_init: 300,
    clock_settime: 227,
    settimeofday: 164,
    clock_adjtime: 305,
    adjtimex: 159,
    kexec_load: 246,
    kexec_file_load: 320,
    init_module: 175,
    finit_module: 313,
    delete_module: 176,
    reboot: 169,
    swapon: 167,
    swapoff: 168,
    acct: 163,
    syslog: 103,
    sethostname: 170,
    setdomainname: 171,
    vhangup: 153,
    iopl: 172,
    ioperm: 173,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    chmod: 90,
    fchmod: 91,
    fchmodat: 268,
    connect: 42,
    openat: 257,
    open: 2,
    creat: 85,
    mknod: 133,
    mknodat: 259,
    execve: 59,
    prlimit64: 302,
    read: 0,
    close: 3,
    write: 1,
    exit: 231,
    kill: 62,
    readlinkat: 267,
    sendto: 44,
    bind: 49,
    listen: 50,
    sendmsg: 46,
  },
};

const arm64: SystemCalls = {
  architecture: 0xc00000b7,
  numbers: {
    ...everywhere,
    ptrace: 117,
    process_vm_readv: 270,
    process_vm_writev: 271,
    kcmp: 272,
    mount: 40,
    umount2: 39,
    pivot_root: 41,
    chroot: 51,
    setns: 268,
    open_by_handle_at: 265,
    quotactl: 60,
    keyctl: 219,
    add_key: 217,
    request_key: 218,
    bpf: 280,
    userfaultfd: 282,
    perf_event_open: 241,
    fanotify_init: 262,
    clock_settime: 112,
    settimeofday: 170,
    clock_adjtime: 266,
    adjtimex: 171,
    kexec_load: 104,
    kexec_file_load: 294,
    init_module: 105,
    finit_module: 273,
    delete_module: 106,
    reboot: 142,
    swapon: 224,
    swapoff: 225,
    acct: 89,
    syslog: 116,
    sethostname: 161,
    setdomainname: 162,
    vhangup: 58,
    iopl: undefined,
    ioperm: undefined,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    chmod: undefined,
    fchmod: 52,
    fchmodat: 53,
    connect: 203,
    openat: 56,
    open: undefined,
    creat: undefined,
    mknod: undefined,
    mknodat: 33,
    execve: 221,
    prlimit64: 261,
    read: 63,
    close: 57,
    write: 64,
    exit: 94,
    kill: 129,
    readlinkat: 78,
    sendto: 206,
    bind: 200,
    listen: 201,
    sendmsg: 211,
  },
};

/** @param processor  as `process.arch`; `undefined` where no filter is known */
export function systemCallsOf(processor: string): SystemCalls | undefined {
  switch (processor) {
    case "x64":
      return x64;
    case "arm64":
      return arm64;
    default:
      return undefined;
  }
}
