import { expect } from 'vitest'
import { z } from 'zod'

const Email = z.looseObject({
  id: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  from: z.array(z.looseObject({ address: z.string() })),
  to: z.array(z.looseObject({ address: z.string() })),
  headers: z.record(z.string(), z.unknown()),
})
export type Email = z.infer<typeof Email>

/** Lists the emails in the mail catcher that were sent to an address. */
export async function listEmails(mail_url: string, to: string): Promise<Email[]> {
  const response = await fetch(`${mail_url}/api/email`)
  const emails = z.array(Email).parse(await response.json())
  return emails.filter((email) => email.to.some(({ address }) => address === to))
}

/** Waits for the first email sent to an address. */
export async function waitForEmail(mail_url: string, to: string): Promise<Email> {
  const find = async () => (await listEmails(mail_url, to))[0]
  await expect.poll(find, { interval: 100 }).toBeDefined()
  const email = await find()
  if (email === undefined) throw new Error('The email has disappeared.')
  return email
}
