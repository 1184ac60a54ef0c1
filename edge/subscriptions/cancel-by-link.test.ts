import { beforeAll, expect, test } from 'vitest'
import { eventually, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { showSandboxOrder } from '../../test/edge/worker/payments.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { listPlan } from '../../test/edge/worker/shop.ts'
import {
  actOnMandate,
  age,
  emailsTo,
  showTerm,
  subscribe,
  transitionsOf,
} from '../../test/edge/worker/terms.ts'
import type { RenderedEmail } from '../emails/rules/email.ts'
import { sendEffects } from '../platform/outbox/send.ts'
import { runScheduled } from '../scheduled.ts'
import { isPagePath } from '../web-app/rules/paths.ts'

/** The mail server is unreachable, so emails stay in the outbox. */
const testContext = makeTestContext({ SMTP_PORT: '9' })
let plan: { id: number }
beforeAll(async () => {
  plan = await listPlan(testContext, { price_cents: 1500 })
})

/** Renders an account's pending emails. */
async function writeEmails(person: Person): Promise<RenderedEmail[]> {
  const sent: RenderedEmail[] = []
  const mailer = { send: async (_id: string, _to: string, email: RenderedEmail) => void sent.push(email) }
  for (const payload of await emailsTo(testContext, person)) {
    await sendEffects({ ...testContext.deps, mailer }, [
      { id: `mail:${crypto.randomUUID()}`, kind: 'mail', payload },
    ])
  }
  return sent
}

const linksIn = ({ text, html }: RenderedEmail) => {
  const inText = text.match(/https?:\/\/\S+/g) ?? []
  for (const link of inText) expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
  return inText.map((link) => new URL(link))
}

test('the emails of a renewal link to an existing cancellation page', async () => {
  const person = await register(testContext)
  const order_id = await subscribe(testContext, person, plan.id, { consent_locale: 'uk' })
  await age(testContext, person, 25)
  await runScheduled(testContext.deps)
  const emails = await writeEmails(person)
  expect(emails).toHaveLength(2)
  const links = emails.flatMap(linksIn).filter(({ hash }) => hash !== '')
  expect(links.map(({ searchParams }) => searchParams.get('lang')).sort()).toEqual(['en', 'uk'])
  for (const { origin, pathname } of links) {
    expect(origin).toBe(new URL(testContext.deps.env.PUBLIC_URL).origin)
    expect(isPagePath(pathname)).toBe(true)
  }
  const [token] = new Set(links.map(({ hash }) => hash.slice(1)))
  const path = `/api/v1/billing/renewals/${token}` as const
  expect((await testContext.call('GET', path)).json).toMatchObject({
    plan_name: 'Tried',
    renewal_status: 'active',
    renewal_amount_cents: 1500,
    can_cancel: true,
  })
  await actOnMandate(testContext, order_id, 'fail_charge')
  const failed = await testContext.call('GET', path)
  expect(failed.json).toMatchObject({ renewal_status: 'past_due', can_cancel: true })
  expect(timeOf(failed.json.grace_until)).toBeGreaterThan(Date.now())
  const twice = [
    await testContext.call('POST', `${path}/cancel`),
    await testContext.call('POST', `${path}/cancel`),
  ]
  for (const { status, json } of twice) {
    expect([status, json]).toMatchObject([200, { renewal_status: 'cancelling', can_cancel: false }])
  }
  expect(await showTerm(testContext, person)).toMatchObject({ renewal_status: 'cancelling', renews_at: null })
  expect((await transitionsOf(testContext, person)).at(-1)).toEqual(['cancelling', 'link'])
  await eventually('the mandate to end', async () =>
    (await showSandboxOrder(order_id)).mandates.every(({ status }) => status === 'canceled'),
  )
})

test('an unknown link is a 404', async () => {
  expect((await testContext.call('GET', '/api/v1/billing/renewals/nobody')).status).toBe(404)
  expect((await testContext.call('POST', '/api/v1/billing/renewals/nobody/cancel')).status).toBe(404)
})
