import { expect, test } from 'vitest'
import { makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import type { RenderedEmail } from './rules/email.ts'
import { sendQueuedEmail } from './send.ts'

const REQUEST = {
  to: 'ada@example.com',
  locale: 'en',
  content: { kind: 'password_changed', at: 0 },
  useful_until: Number.MAX_SAFE_INTEGER,
}

async function send(settings: object): Promise<RenderedEmail[]> {
  const sent: RenderedEmail[] = []
  const mailer = { send: async (_id: string, _to: string, email: RenderedEmail) => void sent.push(email) }
  const { deps } = await makeLimitedContext(settings)
  await sendQueuedEmail({ ...deps, mailer }, 'mail:tried', REQUEST)
  return sent
}

const page = 'https://example.com/help'
test.each([
  [{ support_email: 'help@example.com', support_url: page }, 'help@example.com'],
  [{ support_url: page }, page],
])('an email names the support contact of the settings', async (settings, contact) => {
  const [email] = await send(settings)
  expect(email?.text).toContain(`Contact support: ${contact}`)
})

test('an email names no contact if there is none', async () => {
  const [email] = await send({})
  expect(email?.text).not.toContain('Questions?')
})
