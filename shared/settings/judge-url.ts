const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]*)/i
const ENCRYPTED = ['https', 'libsql', 'wss', 'rediss']
const THIS_MACHINE = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/i
const PRIVATE =
  /^(?:10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[f[cd].*\]|[^.]+|.*\.(?:internal|local))$/i

/**
 * Returns what is wrong with the URL of a service that a deployment calls; null if nothing is.
 * @param canBePrivate allows an unencrypted connection to another machine of a private network
 */
export function judgeUrl(url: string, canBePrivate: boolean): string | null {
  const [, scheme = '', host = ''] = URL_PARTS.exec(url) ?? []
  if (THIS_MACHINE.test(host)) return 'points to the machine itself. Use the address of the service.'
  const isPrivate = PRIVATE.test(host)
  if (isPrivate && !canBePrivate) return 'points to a private network. Use a public address.'
  if (ENCRYPTED.includes(scheme.toLowerCase()) || isPrivate) return null
  return `is not encrypted (${scheme.toLowerCase()}). Use https or another encrypted scheme.`
}
