import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { Settings } from '../settings/rules/settings.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const SETTINGS = '/api/v1/admin/settings'
const OPERATIONS = '/api/v1/admin/operations'

let admin: Person
beforeAll(async () => {
  admin = await registerAdministrator(testContext)
})
afterAll(async () => {
  const names = ['support_email', 'popular_window_days', 'withdrawal_days', 'refund_policy_days']
  await patch(SETTINGS, Object.fromEntries(names.map((name) => [name, null])))
})

const patch = <Address extends string>(path: Address, body: object) =>
  call('PATCH', path, { token: admin.token, body })
const get = async <Address extends string>(path: Address) =>
  (await call('GET', path, { token: admin.token })).json
const auditOf = (target: string) => get(`/api/v1/admin/audit?target=${target}`)

async function settingOf(name: string) {
  return (await get(SETTINGS)).find((setting: { name: string }) => setting.name === name)
}

/** Writes a row directly, which is otherwise possible only with manual database access. */
async function writeRow(name: string, value: string): Promise<void> {
  const sql = 'INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)'
  await deps.db.$client.execute({ sql, args: [name, value] })
}

describe('settings', () => {
  test('are listed with the description from their schema', async () => {
    const all = await get(SETTINGS)
    expect(all.map(({ name }: { name: string }) => name)).toEqual(Object.keys(Settings.shape))
    for (const { description } of all) expect(description).toEqual(expect.any(String))
    expect(await settingOf('refund_policy_days')).toEqual({
      name: 'refund_policy_days',
      value: 30,
      default: 30,
      changed: false,
      type: 'integer',
      min: 0,
      max: 365,
      options: null,
      description: expect.stringMatching(/unused credits/),
    })
    expect(await settingOf('support_email')).toMatchObject({ type: 'string', value: '' })
    expect(await settingOf('refunds_enabled')).toMatchObject({ type: 'boolean', default: true })
  })

  test('change immediately, and null restores the default', async () => {
    const changed = await patch(SETTINGS, { popular_window_days: 60, support_email: 'help@example.com' })
    expect(changed.status, changed.text).toBe(200)
    expect(await settingOf('popular_window_days')).toMatchObject({ value: 60, default: 30, changed: true })
    await patch(SETTINGS, { popular_window_days: null, support_email: null })
    expect(await settingOf('popular_window_days')).toMatchObject({ value: 30, changed: false })
    const trail = await auditOf('setting:popular_window_days')
    expect(trail.slice(0, 2)).toMatchObject([
      { action: 'setting.change', administrator_id: admin.id, before: 60, after: 30 },
      { action: 'setting.change', administrator_id: admin.id, before: 30, after: 60 },
    ])
  })

  test.each([
    [{ withdrawal_days: '14' }, ['withdrawal_days']],
    [{ withdrawal_days: 13 }, ['withdrawal_days']],
    [{ withdrawal_days: 0 }, ['withdrawal_days']],
    [{ withdrawal_days: -1, refunds_enabled: 'no' }, ['withdrawal_days', 'refunds_enabled']],
    [{ no_such_setting: 1 }, ['no_such_setting']],
    [{ refund_policy_days: 13 }, ['refund_policy_days']],
    [{ withdrawal_days: 31 }, ['withdrawal_days']],
    [{ popular_window_days: 50, support_email: 'nobody' }, ['support_email']],
  ])('refuse %j without a partial write', async (body, fields) => {
    const before = await get(SETTINGS)
    const { status, faults } = await patch(SETTINGS, body)
    expect(status).toBe(422)
    expect(faults.map(({ loc }) => loc)).toEqual(fields.map((name) => ['body', name]))
    expect(await get(SETTINGS)).toEqual(before)
  })

  test('that depend on each other are changed together', async () => {
    expect((await patch(SETTINGS, { withdrawal_days: 40, refund_policy_days: 50 })).status).toBe(200)
    expect((await patch(SETTINGS, { refund_policy_days: null })).status).toBe(422)
    expect((await patch(SETTINGS, { withdrawal_days: null, refund_policy_days: null })).status).toBe(200)
  })

  test.each([['"soon"'], ['not json'], ['999999']])(
    'fall back to their default when the stored value is invalid (%s)',
    async (value) => {
      await writeRow('popular_window_days', value)
      const elsewhere = makeTestContext()
      expect((await elsewhere.call('GET', '/api/v1/public/pricing')).status).toBe(200)
      expect(await settingOf('popular_window_days')).toMatchObject({ value: 30, changed: true })
      expect((await patch(SETTINGS, { popular_window_days: null })).status).toBe(200)
    },
  )

  test('the audit trail orders concurrent changes of one setting', async () => {
    await patch(SETTINGS, { popular_window_days: 100 })
    const values = Array.from({ length: 8 }, (_, index) => 101 + index)
    const answers = await Promise.all(values.map((value) => patch(SETTINGS, { popular_window_days: value })))
    expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200))
    const trail = (await auditOf('setting:popular_window_days')).slice(0, 8).reverse()
    expect(trail.map(({ after }) => after).sort()).toEqual(values)
    expect(trail.map(({ before }) => before)).toEqual([100, ...trail.slice(0, -1).map(({ after }) => after)])
    expect((await settingOf('popular_window_days'))?.value).toBe(trail.at(-1)?.after)
  })
})

describe('operations', () => {
  const find = async (key: string) =>
    found((await get(OPERATIONS)).find(({ operation_key }) => operation_key === key))
  const toolOf = async (key: string, language = 'en') => {
    const headers = { 'accept-language': language }
    const { json } = await call('GET', '/api/v1/studio/tools', { headers })
    return json.find((tool) => tool.operation_key === key)
  }

  test('are switched off and on, and change their credits and presets immediately', async () => {
    const before = await find('faststart')
    const path = `${OPERATIONS}/${before.operation_id}`
    const presets = [
      { label: 'As it is', params: {} },
      { label: 'constructor', params: {} },
    ]
    const changed = await patch(path, { enabled: false, credits_per_call: 7, presets })
    expect(changed.json).toEqual({ ...before, enabled: false, credits_per_call: 7, presets })
    expect(await toolOf('faststart')).toMatchObject({
      enabled: false,
      credits_per_call: 7,
      presets: [
        { index: 0, label: 'As it is' },
        { index: 1, label: 'constructor' },
      ],
      config: { presets },
    })
    expect(await toolOf('faststart', 'uk')).toMatchObject({ title: 'Швидкий старт', config: { presets } })
    const { enabled, credits_per_call, presets: old } = before
    expect((await patch(path, { enabled, credits_per_call, presets: old })).json).toEqual(before)
    expect((await auditOf(`operation:${before.operation_id}`)).slice(0, 2)).toMatchObject([
      { action: 'operation.change', after: before },
      { action: 'operation.change', before },
    ])
  })

  test('an unchanged operation leaves no audit row', async () => {
    const { operation_id, enabled } = await find('mute')
    expect((await patch(`${OPERATIONS}/${operation_id}`, { enabled })).status).toBe(200)
    expect(await auditOf(`operation:${operation_id}`)).toEqual([])
  })

  test.each([
    [
      'a preset that the operation refuses',
      { presets: [{ label: 'x', params: { crf: 99 } }] },
      ['presets', 0, 'params'],
    ],
    ['a preset without a label', { presets: [{ label: ' ', params: {} }] }, ['presets', 0, 'label']],
    ['a negative number', { credits_per_call: -1 }, ['credits_per_call']],
    ['an unknown field', { title: 'Squeeze' }, ['title']],
  ])('%s is refused', async (_what, body, loc) => {
    const { operation_id } = await find('compress')
    const answer = await patch(`${OPERATIONS}/${operation_id}`, body)
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', ...loc]])
  })

  test('an unknown operation is not found', async () => {
    expect((await patch(`${OPERATIONS}/999999`, { enabled: false })).status).toBe(404)
  })
})

describe('the audit trail', () => {
  test('is filtered and paged, newest first', async () => {
    const other = await registerAdministrator(testContext)
    for (const days of [3, 4, 5]) {
      const body = { popular_window_days: days }
      await call('PATCH', SETTINGS, { token: other.token, body })
    }
    const rows = await get(`/api/v1/admin/audit?administrator_id=${other.id}`)
    expect(rows.map(({ after }) => after)).toEqual([5, 4, 3])
    const page = await get(`/api/v1/admin/audit?administrator_id=${other.id}&limit=1&offset=1`)
    expect(page).toEqual([rows[1]])
    expect(await get('/api/v1/admin/audit?target=setting:none')).toEqual([])
  })

  test.each([['limit=0'], ['limit=201'], ['offset=-1'], ['administrator_id=x']])(
    'refuses ?%s',
    async (query) => {
      const { status } = await call('GET', `/api/v1/admin/audit?${query}`, { token: admin.token })
      expect(status).toBe(422)
    },
  )

  test('cannot be changed, not even in the database', async () => {
    await expect(deps.db.$client.execute('DELETE FROM audit')).rejects.toThrow(/append-only/)
    await expect(deps.db.$client.execute("UPDATE audit SET action = ''")).rejects.toThrow(/append-only/)
  })
})

test.each(['operations', 'packages', 'plans', 'promotions', 'settings', 'audit'])(
  'only administrators can read %s',
  async (name) => {
    const { token } = await register(testContext)
    expect((await call('GET', `/api/v1/admin/${name}`, { token })).status).toBe(403)
    expect((await call('GET', `/api/v1/admin/${name}`)).status).toBe(401)
  },
)
