import { findUnstorable } from '../platform/http/rules/storable.ts'

/** A signed event in an undocumented format. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/**
 * Parses and reads a signed body.
 * @param read throws if it cannot read the body.
 * @throws UnreadableEvent
 */
export function readSigned<Event>(body: string, read: (content: unknown) => Event): Event {
  try {
    const content: unknown = JSON.parse(body)
    const fault = findUnstorable(content)
    if (fault !== null) throw new Error(`the body ${fault}`)
    return read(content)
  } catch (cause) {
    throw new UnreadableEvent('a signed event does not match the documented format', { cause })
  }
}
