const HEADER_BYTES = 128
const ENTRY_BYTES = 12

/**
 * Checks whether a profile describes itself as sRGB (ICC.1, profile description). Cameras and programs add such
 * profiles to images that would count as sRGB without them.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  // The description is either in ASCII or has a zero byte before each character.
  return readTag(profile, 'desc').toString('latin1').replaceAll('\0', '').includes('sRGB')
}

/** Reads a tag of a profile. Returns an empty buffer if the profile has no such tag. */
function readTag(profile: Buffer, name: string): Buffer {
  const directory = profile.subarray(HEADER_BYTES)
  const entries = directory.length < 4 ? 0 : directory.readUInt32BE(0)
  const end = Math.min(directory.length - ENTRY_BYTES, 4 + (entries - 1) * ENTRY_BYTES)
  for (let at = 4; at <= end; at += ENTRY_BYTES) {
    if (directory.toString('latin1', at, at + 4) !== name) continue
    const start = directory.readUInt32BE(at + 4)
    return profile.subarray(start, start + directory.readUInt32BE(at + 8))
  }
  return Buffer.alloc(0)
}
