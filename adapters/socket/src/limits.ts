/** Bytes of a socket's path: what the kernel's address has room for, without its end. */
export const maxSocketPathBytes = 107;

/** Clients of one socket at the same time; more are turned away. */
export const maxConnections = 256;

/** Time that a client which reads nothing gets to take what was sent before its connection is cut. */
export const closeGraceMs = 500;

/** Time that a process which accepts a connection gets to say who it is. */
export const connectTimeoutMs = 5000;
