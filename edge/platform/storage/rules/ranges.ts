/** A byte range from a Range header (RFC 9110, 14). */
export type RequestedRange = { offset: number; length?: number } | { suffix: number }

/** Conditional headers that storage evaluates, such as If-Match (RFC 9110, 13.1). */
export type ReadConditions = { [name in 'if-match' | 'if-none-match']?: string }

const FROM = /^bytes=(\d{1,15})-(\d{0,15})$/
const SUFFIX = /^bytes=-(\d{1,15})$/

/**
 * Parses a Range header. Returns null if there is no range, more than one, or an invalid one; the whole file is
 * then sent.
 */
export function readRange(header: string | null): RequestedRange | null {
  const text = header?.trim() ?? ''
  const suffix = SUFFIX.exec(text)?.[1]
  if (suffix !== undefined) return { suffix: Number(suffix) }
  const [, first, last] = FROM.exec(text) ?? []
  if (first === undefined) return null
  if (last === undefined || last === '') return { offset: Number(first) }
  const length = Number(last) - Number(first) + 1
  return length > 0 ? { offset: Number(first), length } : null
}

/** Resolves a range for a file of the given size in bytes; returns null if the range is not satisfiable. */
export function placeRange(wanted: RequestedRange, size: number): { offset: number; length: number } | null {
  if ('suffix' in wanted) {
    const length = Math.min(wanted.suffix, size)
    return length === 0 ? null : { offset: size - length, length }
  }
  const { offset, length = size } = wanted
  return offset >= size ? null : { offset, length: Math.min(length, size - offset) }
}
