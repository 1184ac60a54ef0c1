/** Exit code of heic-entry.ts if the file is at fault. */
export const UNDECODABLE = 65
