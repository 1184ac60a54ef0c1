// Texts of the page, as whole sentences.

/** @type {Record<string, string>} */
const KINDS = { video: 'video', image: 'image', audio: 'audio file' }

/** @type {Record<string, string>} */
const FORMATS = {
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/x-matroska': 'MKV',
  'video/x-msvideo': 'AVI',
  'image/jpeg': 'JPEG',
  'image/heic': 'HEIC',
  'image/svg+xml': 'SVG',
}

/** @type {Record<string, string>} Types that browsers do not recognize, by file extension. */
const TYPES = {
  mp4: 'video/mp4',
  m4v: 'video/x-m4v',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  ts: 'video/mp2t',
  '3gp': 'video/3gpp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
}

/** @param {{name: string, type: string}} file */
export function typeOf({ name, type }) {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return type || TYPES[ending] || 'application/octet-stream'
}

/**
 * @param {string[]} allowed
 * @param {string} type
 */
export function isAllowed(allowed, type) {
  return allowed.some((pattern) =>
    pattern === '*/*' || pattern.endsWith('/*')
      ? pattern === '*/*' || type.startsWith(pattern.slice(0, -1))
      : pattern === type,
  )
}

/**
 * @param {string[]} allowed
 * @returns {string} "one video or image", "one JPEG or PNG file"
 */
export function nameTypes(allowed) {
  if (allowed.includes('*/*')) return 'one file of any type'
  const kinds = allowed.flatMap((type) => (type.endsWith('/*') ? [nameKind(type)] : []))
  const formats = allowed.flatMap((type) => (type.endsWith('/*') ? [] : [nameFormat(type)]))
  const list = joinWords([...new Set([...kinds, ...formats])])
  return formats.length === 0 ? `one ${list}` : `one ${list} file`
}

/** @param {string} type */
function nameKind(type) {
  return KINDS[type.replace('/*', '')] ?? `${type} file`
}

/** @param {string} type */
function nameFormat(type) {
  return FORMATS[type] ?? (type.split('/')[1] ?? type).replace(/^x-/, '').toUpperCase()
}

/** @param {string[]} words */
function joinWords(words) {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** @param {number} bytes */
export function nameSize(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB']
  let [amount, unit] = [bytes, 0]
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${amount >= 10 || unit === 0 ? Math.round(amount) : Math.round(amount * 10) / 10} ${units[unit]}`
}

/** @param {string} time */
export function nameTime(time) {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' }).format(new Date(time))
}

/** @param {string} text an error text of the service */
export function sentence(text) {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}

const ASK = 'Ask the person who sent you this link for a new one.'

/**
 * Describes the state of the job to the sender of the file.
 * @param {{status: string, error: string | null}} state
 * @returns {{title: string, text: string, look: '' | 'good' | 'bad', ended: boolean}}
 */
export function tellState({ status, error }) {
  switch (status) {
    case 'processing':
      return {
        title: 'Your file has arrived',
        text: 'It is being processed. You may close this page.',
        look: '',
        ended: false,
      }
    case 'done':
      return {
        title: 'Done',
        text: 'Your file was processed. The person who sent you this link has the result.',
        look: 'good',
        ended: true,
      }
    case 'canceled':
      return {
        title: 'Canceled',
        text: 'The person who sent you this link canceled the job.',
        look: 'bad',
        ended: true,
      }
    case 'expired':
      return { title: 'This link has expired', text: ASK, look: 'bad', ended: true }
    default: {
      const reason = sentence(error ?? 'the file could not be processed')
      const text = /new one\.$/.test(reason) ? reason : `${reason} ${ASK}`
      return { title: 'Something went wrong', text, look: 'bad', ended: true }
    }
  }
}
