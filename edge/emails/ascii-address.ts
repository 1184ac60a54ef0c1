/** Letters, marks, digits, full stops and hyphens of any script: nothing that the parser could read as a path or a port. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u
const ASCII = /^\p{ASCII}*$/u

/**
 * An address whose domain is written in another script, with the domain in its ASCII form (RFC 5891), which the name
 * servers and mail servers know; so both spellings are one address. Any other text comes back as it is.
 */
export function asciiEmail(text: string): string {
  const start = text.lastIndexOf('@') + 1
  const domain = text.slice(start)
  if (start === 0 || ASCII.test(domain) || !DOMAIN.test(domain)) return text
  const url = `http://${domain}`
  return URL.canParse(url) ? text.slice(0, start) + new URL(url).hostname : text
}
