/** Time after which the browser has copied the file. */
const COPIED_MS = 60_000

/** Saves bytes as a file in the downloads of the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), COPIED_MS)
}
