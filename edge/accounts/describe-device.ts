import Bowser from 'bowser'

const LENGTH_MAX = 512
/** Begins the User-Agent of a program that is not a browser, such as `curl/8.5.0`. */
const PROGRAM = /^[\w.-]{1,40}(?=[/ ]|$)/
/** The client can send any text; only plain names are shown. */
const NAME = /^[\w .+-]{1,40}$/

/**
 * Returns a label by which people recognize a device in a list, such as `Chrome on Windows`.
 * @returns null if the User-Agent is missing or names nothing.
 */
export function describeDevice(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, LENGTH_MAX).trim()
  if (!text.startsWith('Mozilla/')) return PROGRAM.exec(text)?.[0] ?? null
  const { browser, os } = Bowser.parse(text)
  const names = [browser.name, os.name].filter((name) => name !== undefined && NAME.test(name))
  return names.join(' on ') || null
}
