import { findUnstorable } from '../platform/http/rules/storable.ts'

/** An event that its provider signed, and that is not of the form the provider documents. */
export class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

/** Reads a signed body. @param read throws for what it cannot read. @throws UnreadableEvent */
export function readSigned<Event>(body: string, read: (content: unknown) => Event): Event {
  try {
    const content: unknown = JSON.parse(body)
    const fault = findUnstorable(content)
    if (fault !== null) throw new Error(`the body ${fault}`)
    return read(content)
  } catch (cause) {
    throw new UnreadableEvent('a signed event is not of the documented form', { cause })
  }
}
