import { z } from 'zod'
import type { Effect } from '../../db/outbox.ts'
import type { Deps } from '../../deps.ts'
import { writeCodeLetter } from '../../rules/letters/code.ts'
import type { Letter } from '../../rules/letters/letter.ts'
import { LOCALES } from '../../rules/locale.ts'

/** What each kind of letter is made from; the words are made when it is sent. */
const Content = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code'),
    code: z.string(),
    minutes: z.int(),
    full_name: z.string().nullable(),
  }),
])

/** A letter on its way: what the outbox keeps of it. */
const MailRequest = z.object({
  to: z.string(),
  locale: z.enum(LOCALES),
  content: Content,
  /** After this nobody wants it any more, and it is given up. */
  useful_until: z.number(),
})
export type MailRequest = z.infer<typeof MailRequest>

/** @param id names the letter and its cause: one cause sends one letter. */
export function mailEffect(id: string, request: MailRequest): Effect {
  return { id: `mail:${id}`, kind: 'mail', payload: request }
}

/** Sends a letter of the outbox; throws when the mail server did not take it, so that it is tried again. */
export async function sendLetter(deps: Deps, id: string, payload: unknown): Promise<void> {
  const { to, locale, content, useful_until } = MailRequest.parse(payload)
  if (useful_until <= deps.clock.now()) return
  if (deps.mailer === null) throw new Error('no mail server is configured')
  const letter = writeLetter(content, locale, new URL(deps.env.PUBLIC_URL).host)
  await deps.mailer.send(id.replaceAll(':', '.'), to, letter)
}

function writeLetter(content: z.infer<typeof Content>, locale: MailRequest['locale'], site: string): Letter {
  switch (content.kind) {
    case 'code':
      return writeCodeLetter(content, locale, site)
  }
}
