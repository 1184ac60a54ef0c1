import { describe, expect, test } from 'vitest'
import { makeBot } from '../../../test/edge/worker/bots.ts'
import { makeLimitedWorld } from '../../../test/edge/worker/limited-world.ts'
import { makeKey, type Person, register } from '../../../test/edge/worker/people.ts'
import { query } from '../../../test/edge/worker/records.ts'
import { type CallOptions, publicUrl } from '../../../test/edge/worker/world.ts'
import { makeFormToken } from '../../integrations/form-token.ts'
import { carryOut } from '../outbox/resend.ts'

const PATH = '/api/v1/public/feedback'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const BROWSER = { origin: new URL(publicUrl()).origin, 'sec-fetch-site': 'same-origin' }

let networks = 0
/** An address in a network that no other test writes from. */
function freshNetwork(): string {
  networks += 1
  return `2001:db8:feed:${networks.toString(16)}`
}

let worlds = 0
/** A world of its own hours, in which nobody has written anything yet. */
async function makeFormWorld(settings = {}, overrides: Record<string, unknown> = {}) {
  worlds += 1
  const now = Date.UTC(2050, 0, 1 + 10 * worlds, 8)
  const world = await makeLimitedWorld(settings, { FEEDBACK_EMAIL: 'people@example.com', ...overrides }, now)
  const { call, clock } = world
  const letters: { to: string; subject: string; text: string; html: string }[] = []
  if (world.deps.mailer !== null) {
    world.deps.mailer.send = async (_id, to, letter) => void letters.push({ to, ...letter })
  }
  /** Sends a message that every guard lets pass, but for what is said otherwise. */
  async function send({ from, ip, body, headers }: Sending = {}) {
    const form = makeFormToken(world.deps.env.SESSION_KEYS, clock.now - 3000)
    const options: CallOptions = {
      ...(from === undefined ? {} : { token: from.token }),
      body: { message: `It works very well. ${crypto.randomUUID()}`, form_token: form, ...body },
      headers: { ...BROWSER, 'cf-connecting-ip': ip ?? `${freshNetwork()}::1`, ...headers },
    }
    return call('POST', PATH, options)
  }
  return {
    ...world,
    get deps() {
      return world.deps
    },
    letters,
    send,
  }
}
interface Sending {
  from?: Person
  ip?: string
  body?: object
  headers?: Record<string, string>
}

const without = (name: keyof typeof BROWSER) => ({ [name]: '' })

describe('a message', () => {
  test('of a visitor is on its way: 202, and a letter to who reads them', async () => {
    const { send, letters, settled } = await makeFormWorld()
    const message = `The <b>button</b> does nothing.\nSee https://example.com/a ${crypto.randomUUID()}`
    const body = { message, contact: 'ada@example.com', page: '/studio?x=1', error: 'TypeError: "x" & <y>' }
    const answer = await send({ body })
    expect([answer.status, answer.json]).toEqual([202, { ok: true }])
    await settled()
    expect(letters).toHaveLength(1)
    const [letter] = letters
    expect(letter?.to).toBe('people@example.com')
    expect(letter?.subject).toMatch(/^Feedback on .*: The <b>button<\/b> does nothing\. See https:/)
    for (const told of [message, 'ada@example.com', '/studio?x=1', 'TypeError: "x" & <y>', 'a visitor']) {
      expect(letter?.text).toContain(told)
    }
    expect(letter?.html).toContain('The &lt;b&gt;button&lt;/b&gt;')
    expect(letter?.html).not.toContain('<b>button')
  })

  test('of an account says whose it is, and needs no form', async () => {
    const world = await makeFormWorld()
    const person = await register(world)
    const { key } = await makeKey(world, person)
    const body = { message: `Written by a program. ${crypto.randomUUID()}` }
    expect((await world.call('POST', PATH, { key, body })).status).toBe(202)
    await world.settled()
    expect(world.letters[0]?.text).toContain(`From: ${person.email} (account ${person.id})`)
  })

  test('is in the outbox from its 202 on, and kept nowhere else', async () => {
    const world = await makeFormWorld()
    const { mailer } = world.deps
    if (mailer !== null) {
      mailer.send = () => Promise.reject(new Error('the mail server is down'))
    }
    const message = `A message that takes its time. ${crypto.randomUUID()}`
    expect((await world.send({ body: { message } })).status).toBe(202)
    await world.settled()
    const rows = await query(
      world,
      "SELECT id FROM outbox WHERE kind = 'mail' AND payload LIKE ?",
      `%${message}%`,
    )
    expect(rows).toMatchObject([{ id: expect.stringMatching(/^mail:feedback:/) }])
    const kept = await query(world, 'SELECT * FROM feedback ORDER BY id DESC LIMIT 1')
    expect(JSON.stringify(kept)).not.toContain('takes its time')
    await query(world, 'DELETE FROM outbox WHERE id = ?', String(rows[0]?.id))
  })

  test('is 503 where nobody reads it, and counts for nothing', async () => {
    const ip = `${freshNetwork()}::1`
    for (const missing of [{ FEEDBACK_EMAIL: undefined }, { SMTP_HOST: undefined }]) {
      const { send } = await makeFormWorld({}, missing)
      expect((await send({ ip })).status).toBe(503)
      expect((await send({ ip })).status).toBe(503)
    }
  })
})

describe('a message to a chat', () => {
  const CHAT = '-1001234567890'
  const makeChatWorld = async (overrides: object = {}) => {
    const { settings, calls, fail } = makeBot()
    const chat = { ...settings, FEEDBACK_CHAT_ID: CHAT, FEEDBACK_EMAIL: undefined }
    return { ...(await makeFormWorld({}, { ...chat, ...overrides })), calls, fail }
  }

  test('goes there beside the letter, with all that is known of it', async () => {
    const { send, letters, settled, calls } = await makeChatWorld({ FEEDBACK_EMAIL: 'people@example.com' })
    const message = `Where is <b>the</b> button? https://example.com/a ${crypto.randomUUID()}`
    expect((await send({ body: { message, contact: 'ada', page: '/studio', error: 'none' } })).status).toBe(
      202,
    )
    await settled()
    expect(letters).toHaveLength(1)
    const [sent, ...others] = await calls()
    expect(others).toEqual([])
    expect(sent).toMatchObject({ method: 'sendMessage', fields: { chat_id: CHAT } })
    for (const told of [
      message,
      'From: a visitor',
      'Contact: ada',
      'Page: /studio',
      'Error: none',
      'At: 20',
    ]) {
      expect(sent?.fields.text).toContain(told)
    }
    expect(sent?.fields.parse_mode).toBeUndefined()
  })

  test('is enough by itself, without a mail server; what is too long comes in parts', async () => {
    const { send, settled, calls } = await makeChatWorld({ SMTP_HOST: undefined })
    const body = { message: '😀'.repeat(2000), error: 'é'.repeat(2000), contact: 'ada' }
    expect((await send({ body })).status).toBe(202)
    await settled()
    const texts = (await calls()).map(({ fields }) => fields.text ?? '').toSorted()
    expect(texts.map((text) => text.slice(0, 6))).toEqual(['(1/2)\n', '(2/2)\n'])
    const whole = texts.map((text) => text.slice(6)).join('')
    for (const told of [body.message, body.error, 'Contact: ada']) expect(whole).toContain(told)
  })

  test('stays in the outbox until the messenger takes it', async () => {
    const world = await makeChatWorld()
    await world.fail({ method: 'sendMessage', status: 403, description: 'bot was kicked', times: 1 })
    const message = `A message that comes late. ${crypto.randomUUID()}`
    expect((await world.send({ body: { message } })).status).toBe(202)
    await world.settled()
    const find = () => query(world, 'SELECT * FROM outbox WHERE payload LIKE ?', `%${message}%`)
    const [row] = await find()
    expect([row?.kind, await world.calls()]).toEqual(['feedback', []])
    const effect = {
      id: String(row?.id),
      kind: 'feedback',
      payload: JSON.parse(String(row?.payload)),
    } as const
    await carryOut(world.deps, effect)
    expect((await world.calls()).map(({ fields }) => fields.text)).toEqual([expect.stringContaining(message)])
    expect(await find()).toEqual([])
  })
})

describe('the honeypot', () => {
  test('is 400, and does not tell what it was; a person’s empty field is fine', async () => {
    const { send, letters, settled } = await makeFormWorld()
    const answer = await send({ body: { website: 'https://spam.example' } })
    expect([answer.status, answer.json.detail]).toEqual([400, 'the message was rejected'])
    expect((await send({ body: { website: ' ' } })).status).toBe(202)
    await settled()
    expect(letters).toHaveLength(1)
  })
})

describe('without an account', () => {
  test.each([
    ['no Origin', without('origin')],
    ['no Sec-Fetch-Site', without('sec-fetch-site')],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is 401', async (_name, headers) => {
    const { send } = await makeFormWorld()
    const answer = await send({ headers })
    expect([answer.status, answer.json.detail]).toEqual([401, expect.stringMatching(/form of this site/)])
  })

  test.each([
    ['none', undefined],
    ['nonsense', 'a.b.c'],
    ['one that nobody signed', `${Date.UTC(2050, 0, 1).toString(36)}.abc.${'A'.repeat(43)}`],
  ])('with %s for a token it is 401', async (_name, form_token) => {
    const { send } = await makeFormWorld()
    expect((await send({ body: { form_token } })).status).toBe(401)
  })

  test('a form is good from 3 seconds on, for two hours', async () => {
    const { call, clock } = await makeFormWorld()
    const headers = { 'cf-connecting-ip': `${freshNetwork()}::1` }
    const form = (await call('GET', `${PATH}/token`, { headers })).json
    expect(form).toMatchObject({ not_before_seconds: 3, expires_in: 7200 })
    const begun = clock.now
    const statusAfter = async (ms: number) => {
      clock.now = begun + ms
      const body = { message: `After some time. ${crypto.randomUUID()}`, form_token: form.form_token }
      const headers = { ...BROWSER, 'cf-connecting-ip': `${freshNetwork()}::1` }
      return (await call('POST', PATH, { body, headers })).status
    }
    expect([
      await statusAfter(2999),
      await statusAfter(3000),
      await statusAfter(2 * HOUR_MS),
      await statusAfter(2 * HOUR_MS + 1),
    ]).toEqual([401, 202, 202, 401])
  })

  test('a wrong credential is 401 for itself', async () => {
    const { call } = await makeFormWorld()
    const headers = { 'cf-connecting-ip': `${freshNetwork()}::1` }
    const body = { message: 'x'.repeat(20) }
    expect((await call('POST', PATH, { key: 'mk_nobody', body, headers })).status).toBe(401)
  })
})

describe('the words', () => {
  test.each([
    ['x'.repeat(9), 422],
    [`   ${'x'.repeat(9)}   `, 422],
    ['x'.repeat(2001), 422],
    ['😀'.repeat(2000), 202],
  ])('%#: of a length that is allowed', async (message, status) => {
    const { send } = await makeFormWorld()
    const answer = await send({ body: { message } })
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.json.detail[0]).toMatchObject({ loc: ['body', 'message'] })
  })

  test.each([
    [{ message: 7 }, 'message'],
    [{ message: undefined }, 'message'],
    [{ contact: 'x'.repeat(201) }, 'contact'],
    [{ page: 'x'.repeat(501) }, 'page'],
    [{ error: 'x'.repeat(2001) }, 'error'],
  ])('%# is 422', async (body, field) => {
    const { send } = await makeFormWorld()
    const answer = await send({ body })
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ['body', field]])
  })

  test.each([
    ['two links are fine: https://a.example and www.b.example', undefined, 202],
    ['three are not: https://a.example http://b.example www.c.example', undefined, 400],
    ['nor a third beside it: https://a.example http://b.example', 'ftp://c.example', 400],
  ])('%s', async (message, contact, status) => {
    const { send } = await makeFormWorld()
    expect((await send({ body: { message, contact } })).status).toBe(status)
  })
})

describe('the same message', () => {
  test('is 400 for the rest of the day, whoever sends it, and fine the next', async () => {
    const world = await makeFormWorld()
    const person = await register(world)
    const message = `Exactly the same words. ${crypto.randomUUID()}`
    expect((await world.send({ body: { message } })).status).toBe(202)
    const again = await world.send({ body: { message: ` ${message}\n` } })
    expect([again.status, again.json.detail]).toEqual([400, expect.stringMatching(/today already/)])
    expect((await world.send({ from: person, body: { message } })).status).toBe(400)
    world.clock.now = Date.UTC(2050, 0, 1 + 10 * worlds + 1, 0, 0, 1)
    expect((await world.send({ body: { message } })).status).toBe(202)
  })

  test('sent many times at once goes through once', async () => {
    const world = await makeFormWorld()
    const message = `All at once. ${crypto.randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.send({ body: { message } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400, 400])
    await world.settled()
    expect(world.letters).toHaveLength(1)
  })
})

/** Sends until one is refused; tells how many went through and how long that one is to wait. */
async function sendUntilRefused(
  send: () => ReturnType<Awaited<ReturnType<typeof makeFormWorld>>['send']>,
  step: () => void,
) {
  for (let count = 0; ; count++) {
    const answer = await send()
    if (answer.status !== 202) {
      expect(answer.status, answer.text).toBe(429)
      return { count, wait: Number(answer.headers.get('retry-after')), detail: answer.json.detail }
    }
    step()
  }
}

describe('the volume', () => {
  test('of an address: one in 15 minutes, exactly', async () => {
    const world = await makeFormWorld()
    const ip = `${freshNetwork()}::1`
    const pause = (ms: number) => () => {
      world.clock.now += ms
    }
    expect((await world.send({ ip })).status).toBe(202)
    const first = world.clock.now
    const refused = await world.send({ ip })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(15 * 60)])
    pause(Number(refused.headers.get('retry-after')) * 1000)()
    expect(world.clock.now - first).toBe(15 * MINUTE_MS)
    expect((await world.send({ ip })).status).toBe(202)
    // Another address of the network has a pause of its own.
    expect((await world.send({ ip: ip.replace('::1', '::2') })).status).toBe(202)
  })

  test('of an address: 5 a day', async () => {
    const world = await makeFormWorld()
    const ip = '198.51.100.7'
    const begun = world.clock.now
    const { count, wait, detail } = await sendUntilRefused(
      () => world.send({ ip }),
      () => {
        world.clock.now += HOUR_MS
      },
    )
    expect([count, detail]).toEqual([5, expect.stringMatching(/today/)])
    expect(world.clock.now + wait * 1000).toBe(begun + DAY_MS)
  })

  test.each([
    ['a /24', (number: number) => `203.0.113.${number + 1}`],
    ['a /64', (number: number) => `2001:db8:77:1::${number + 1}`],
  ])('of %s: 10 an hour', async (_name, addressOf) => {
    const world = await makeFormWorld()
    let number = 0
    const { count, detail } = await sendUntilRefused(
      () => world.send({ ip: addressOf(number) }),
      () => {
        number += 1
      },
    )
    expect([count, detail]).toEqual([10, expect.stringMatching(/network/)])
    expect((await world.send({})).status).toBe(202)
    world.clock.now += HOUR_MS
    expect((await world.send({ ip: addressOf(20) })).status).toBe(202)
  })

  test('of an account: one in 2 minutes and 20 a day, wherever it writes from', async () => {
    const world = await makeFormWorld()
    const from = await register(world)
    expect((await world.send({ from })).status).toBe(202)
    const soon = await world.send({ from })
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '120'])
    world.clock.now += 2 * MINUTE_MS
    const { count, detail } = await sendUntilRefused(
      () => world.send({ from }),
      () => {
        world.clock.now += 2 * MINUTE_MS
      },
    )
    expect([count, detail]).toEqual([19, expect.stringMatching(/account today/)])
  })

  test('of everybody: as many an hour as the setting says', async () => {
    const world = await makeFormWorld({ feedback_per_hour: 3 })
    const from = await register(world)
    const { count, detail } = await sendUntilRefused(
      () => world.send({}),
      () => undefined,
    )
    expect([count, detail]).toEqual([3, expect.stringMatching(/at the moment/)])
    expect((await world.send({ from })).status).toBe(429)
    const closed = await makeFormWorld({ feedback_per_hour: 0 })
    expect((await closed.send({})).status).toBe(429)
  })

  test('counts what went through alone', async () => {
    const world = await makeFormWorld()
    const ip = `${freshNetwork()}::1`
    for (const body of [{ message: 'short' }, { website: 'x' }, { form_token: 'x' }]) {
      expect((await world.send({ ip, body })).status).not.toBe(202)
    }
    expect((await world.send({ ip })).status).toBe(202)
  })
})

describe('the guards', () => {
  test('come in their order', async () => {
    const world = await makeFormWorld({ feedback_per_hour: 1 })
    const message = `Known already. ${crypto.randomUUID()}`
    expect((await world.send({ body: { message } })).status).toBe(202)
    world.deps.env.FEEDBACK_EMAIL = undefined
    const links = 'http://a.example http://b.example http://c.example'
    const statuses = []
    // Each is let pass by all that come before, and would be refused by the next as well.
    for (const [body, headers] of [
      [{ message: 'short', website: 'x' }, without('origin')],
      [{ message: 'short' }, without('origin')],
      [{ message: links }, {}],
      [{ message }, {}],
      [{}, {}],
    ] as const) {
      const { status, json } = await world.send({ body, headers })
      statuses.push([status, typeof json.detail === 'string' ? json.detail.split(' ')[0] : ''])
    }
    expect(statuses).toEqual([
      [400, 'the'],
      [401, 'messages'],
      [400, 'a'],
      [400, 'this'],
      [429, 'too'],
    ])
    world.clock.now += HOUR_MS
    expect((await world.send({})).status).toBe(503)
  })
})
