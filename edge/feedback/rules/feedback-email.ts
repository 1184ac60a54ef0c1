import type { EmailContent } from '../../emails/rules/content.ts'

/** A feedback message as its recipients see it. */
export interface FeedbackContent {
  message: string
  contact: string | null
  page: string | null
  error: string | null
  /** null for visitors without a session. */
  from: { account_id: number; email: string } | null
  at: string
}

const SUBJECT_LENGTH_MAX = 60

/** Writes the feedback email. The content is untrusted, so it is plain text without links or images. */
export function writeFeedbackEmail(content: FeedbackContent, site: string): EmailContent {
  const { message } = content
  const facts = listFacts(content)
  const beginning = [...message.replace(/\s+/g, ' ')].slice(0, SUBJECT_LENGTH_MAX).join('')
  return {
    subject: `Feedback on ${site}: ${beginning}`,
    heading: 'Feedback',
    greeting: 'Someone wrote:',
    blocks: [{ quote: message }, { facts }],
  }
}

/** Maximum length of a Telegram message, minus the space for the part number. */
const CHAT_LENGTH_MAX = 4096 - '(1/9)\n'.length

/** Writes the feedback for a chat and splits it into as many messages as needed. */
export function writeFeedbackMessages(content: FeedbackContent, site: string): string[] {
  const facts = listFacts(content).map(([name, value]) => `${name}: ${value}`)
  const parts = cutText(`Feedback on ${site}\n\n${content.message}\n\n${facts.join('\n')}`, CHAT_LENGTH_MAX)
  return parts.map((part, index) => (parts.length === 1 ? part : `(${index + 1}/${parts.length})\n${part}`))
}

function listFacts({ contact, page, error, from, at }: FeedbackContent) {
  const known: [string, string | null][] = [
    ['From', from === null ? 'a visitor' : `${from.email} (account ${from.account_id})`],
    ['Contact', contact],
    ['Page', page],
    ['Error', error],
    ['At', at],
  ]
  return known.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
}

/** Splits text into pieces of at most `length_max` UTF-16 code units, without splitting any character. */
function cutText(text: string, length_max: number): string[] {
  const pieces = ['']
  for (const character of text) {
    const last = pieces.at(-1) ?? ''
    if (last.length + character.length > length_max) pieces.push(character)
    else pieces[pieces.length - 1] = last + character
  }
  return pieces
}
