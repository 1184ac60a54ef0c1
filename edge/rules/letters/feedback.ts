import type { Letter } from './letter.ts'
import { escapeHtml } from './letter.ts'

/** What somebody wrote by the feedback form, for who reads it. */
export interface FeedbackContent {
  message: string
  contact: string | null
  page: string | null
  error: string | null
  /** null: without an account. */
  from: { account_id: number; email: string } | null
  at: string
}

const SUBJECT_LENGTH_MAX = 60

/** All of it is a stranger's: plain text, with nothing in it that becomes a link or a picture here. */
export function writeFeedbackLetter(content: FeedbackContent, site: string): Letter {
  const { message, contact, page, error, from, at } = content
  const known: [string, string | null][] = [
    ['From', from === null ? 'a visitor' : `${from.email} (account ${from.account_id})`],
    ['Contact', contact],
    ['Page', page],
    ['Error', error],
    ['At', at],
  ]
  const facts = known.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]))
  const beginning = [...message.replace(/\s+/g, ' ')].slice(0, SUBJECT_LENGTH_MAX).join('')
  return {
    subject: `Feedback on ${site}: ${beginning}`,
    text: `${message}\n\n-- \n${facts.map(({ name, value }) => `${name}: ${value}`).join('\n')}\n`,
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Feedback</title></head><body>',
      `<pre style="white-space:pre-wrap;font:16px/1.5 system-ui,sans-serif">${escapeHtml(message)}</pre><hr>`,
      ...facts.map(
        ({ name, value }) =>
          `<p><b>${name}</b> <span style="white-space:pre-wrap">${escapeHtml(value)}</span></p>`,
      ),
      '</body></html>\n',
    ].join('\n'),
  }
}
