export {
  bytesOf,
  entriesOf,
  type FolderEntry,
  isTooLong,
  listFolder,
  onDisk,
  pathText,
  readLink,
  unreadable,
} from "./byte-paths.ts";
