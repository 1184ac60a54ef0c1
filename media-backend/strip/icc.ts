const HEADER_BYTES = 128
const ENTRY_BYTES = 12
const PROFILE_ID = { start: 84, end: 100 }

/**
 * Tags of an ICC profile that define its colors or are required for a valid profile. Private tags are removed,
 * because the profile of a monitor contains its serial number.
 */
const COLOR_TAGS = new Set([
  ...['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC', 'kTRC', 'aarg', 'aagg', 'aabg', 'wtpt', 'bkpt', 'chad'],
  ...['chrm', 'lumi', 'cicp', 'A2B0', 'A2B1', 'A2B2', 'A2M0', 'B2A0', 'B2A1', 'B2A2', 'M2A0', 'gamt', 'ncl2'],
  ...['D2B0', 'D2B1', 'D2B2', 'D2B3', 'B2D0', 'B2D1', 'B2D2', 'B2D3', 'clro', 'clrt', 'desc', 'cprt'],
])

/** Removes all tags except COLOR_TAGS. A corrupt profile stays unchanged. */
export function keepColorProfile(profile: Buffer): Buffer {
  if (profile.length < HEADER_BYTES + 4) return profile
  const count = profile.readUInt32BE(HEADER_BYTES)
  const table_end = HEADER_BYTES + 4 + count * ENTRY_BYTES
  if (count > 1000 || table_end > profile.length) return profile
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + 4 + index * ENTRY_BYTES
    const name = profile.toString('latin1', at, at + 4)
    return { name, start: profile.readUInt32BE(at + 4), size: profile.readUInt32BE(at + 8) }
  })
  const kept = entries.filter(({ name }) => COLOR_TAGS.has(name))
  const kept_bytes = kept.reduce((sum, { size }) => sum + size, 0)
  const is_corrupt = kept.some(({ start, size }) => start + size > profile.length)
  // Normally, at most three tags share the same data, such as the curves of red, green and blue.
  if (is_corrupt || kept_bytes > 8 * profile.length) return profile
  return kept.length === count ? profile : joinProfile(profile.subarray(0, HEADER_BYTES), profile, kept)
}

/** Builds a profile from these tags. Data that several tags share is written once. */
function joinProfile(
  header: Buffer,
  profile: Buffer,
  tags: readonly { name: string; start: number; size: number }[],
): Buffer {
  const table = Buffer.alloc(4 + tags.length * ENTRY_BYTES)
  table.writeUInt32BE(tags.length)
  const data: Buffer[] = []
  const places = new Map<string, number>()
  let end = HEADER_BYTES + table.length
  for (const [index, { name, start, size }] of tags.entries()) {
    const key = `${start} ${size}`
    if (!places.has(key)) {
      places.set(key, end)
      const padded = Buffer.alloc(Math.ceil(size / 4) * 4)
      profile.copy(padded, 0, start, start + size)
      data.push(padded)
      end += padded.length
    }
    const at = 4 + index * ENTRY_BYTES
    table.write(name, at, 'latin1')
    table.writeUInt32BE(places.get(key) ?? 0, at + 4)
    table.writeUInt32BE(size, at + 8)
  }
  const joined = Buffer.concat([header, table, ...data])
  joined.writeUInt32BE(joined.length, 0)
  // The profile ID is a checksum of the whole profile. Zero means that there is none.
  joined.fill(0, PROFILE_ID.start, PROFILE_ID.end)
  return joined
}
