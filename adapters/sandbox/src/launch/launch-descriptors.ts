/** What a program's descriptors are called inside `bwrap`: before them come those that enter the holder (`joinDescriptors`). */
export const launchDescriptors = { arguments: 7, filter: 8, status: 9 } as const;
