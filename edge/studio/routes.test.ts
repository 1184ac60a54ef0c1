import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'

const { call } = makeTestContext()

interface FormField {
  key: string
  type: string
  min: number | null
  max: number | null
  label: string
  options: (string | number)[] | null
  option_labels: (string | null)[] | null
  replaces: string[] | null
}

interface Tool {
  operation_id: number
  service_slug: string
  operation_key: string
  accepts: string[]
  config: {
    family: string | null
    group: { key: string; title: string; description: string }
    fields: FormField[]
    presets: { label: string; params: object }[]
  }
  presets: { index: number; label: string }[]
}

const TOOLS = '/api/v1/studio/tools'

async function listTools(headers: Record<string, string> = {}): Promise<Tool[]> {
  const answer = await call('GET', TOOLS, { headers })
  expect(answer.status).toBe(200)
  return answer.json
}

test('every operation is listed once, without credentials', async () => {
  const names = (await listTools()).map((tool) => `${tool.service_slug}/${tool.operation_key}`)
  expect([...names].sort()).toEqual(OPERATIONS.map(({ service, key }) => `${service}/${key}`).sort())
  expect(names).toEqual(
    expect.arrayContaining([
      'video/compress',
      'video/trim',
      'video/thumbnail',
      'image/resize',
      'image/convert',
    ]),
  )
})

test('presets are listed by index and label, with their values only in config', async () => {
  for (const { presets, config } of await listTools()) {
    expect(presets).toEqual(config.presets.map(({ label }, index) => ({ index, label })))
  }
})

test('fields state their bounds', async () => {
  const compress = (await listTools()).find((tool) => tool.operation_key === 'compress')
  expect(compress?.config.fields.find(({ key }) => key === 'crf')).toMatchObject({
    type: 'integer',
    min: 0,
    max: 63,
  })
})

function fieldOf(tools: readonly Tool[], operation: string, key: string): FormField | undefined {
  const tool = tools.find(({ operation_key }) => operation_key === operation)
  return tool?.config.fields.find((field) => field.key === key)
}

test('a field states how a form shows it', async () => {
  expect(fieldOf(await listTools(), 'resize', 'color')).toMatchObject({
    ...{
      label: 'Bar color',
      control: 'color',
      is_advanced: false,
      unit: null,
      unit_symbol: null,
      step: null,
    },
    ...{ shown_when: { field: 'mode', values: ['pad'] }, option_labels: null, accepts: null, fields: null },
    replaces: null,
  })
  expect(fieldOf(await listTools(), 'watermark', 'logo_url')?.replaces).toEqual(['text', 'color'])
  expect(fieldOf(await listTools(), 'trim', 'start')).toMatchObject({
    ...{ unit: 's', unit_symbol: 's', step: 0.1, control: 'time' },
    group: { key: 'part', title: 'Part of the video' },
  })
})

test('every language of speech has a name, also where the Unicode data of workerd lacks it', async () => {
  for (const locale of ['en', 'uk', 'ru']) {
    const tools = await listTools({ 'Accept-Language': locale })
    const { options, option_labels } = fieldOf(tools, 'transcribe', 'language') ?? {}
    const unnamed = options?.filter((code, index) => option_labels?.[index]?.toLowerCase() === code)
    expect([locale, unnamed]).toEqual([locale, []])
  }
})

describe('the language of the listing', () => {
  test.each([
    ['en', 'Trim video', 'Start', 'Cut and speed', 'First minute'],
    ['uk-UA', 'Обрізати відео', 'Початок', 'Монтаж і швидкість', 'Перша хвилина'],
    ['ru', 'Обрезать видео', 'Начало', 'Монтаж и скорость', 'Первая минута'],
  ])('with Accept-Language %s', async (language, title, label, group, preset) => {
    const { headers, json } = await call('GET', TOOLS, { headers: { 'accept-language': language } })
    expect(headers.get('content-language')).toBe(language.slice(0, 2))
    expect(headers.get('vary')).toContain('Accept-Language')
    const tools: Tool[] = json
    const trim = tools.find(({ operation_key }) => operation_key === 'trim')
    expect(trim).toMatchObject({ title, config: { group: { key: 'cut', title: group } } })
    expect(trim?.presets[1]?.label).toBe(preset)
    expect(fieldOf(tools, 'trim', 'start')).toMatchObject({ label })
  })

  test('applies to names of languages', async () => {
    const field = fieldOf(await listTools({ 'accept-language': 'uk' }), 'transcribe', 'language')
    const names = new Map(field?.options?.map((code, index) => [code, field.option_labels?.[index]]))
    expect([names.get('auto'), names.get('de')]).toEqual(['Визначати автоматично', 'Німецька'])
  })

  test('changes no keys, options or values', async () => {
    const [en, uk] = await Promise.all([listTools(), listTools({ 'accept-language': 'uk' })])
    const names = (tools: readonly Tool[]) =>
      tools.map(({ operation_id, config }) => [
        operation_id,
        config.fields.map(({ key, type }) => [key, type]),
      ])
    expect(names(uk)).toEqual(names(en))
  })
})

describe('a listing that the caller has', () => {
  const ask = (language: string, known: string) =>
    call('GET', TOOLS, { headers: { 'accept-language': language, 'if-none-match': known } })

  test('is not sent again', async () => {
    const first = await call('GET', TOOLS)
    const etag = first.headers.get('etag') ?? ''
    const bare = etag.replace('W/', '')
    for (const known of [etag, bare, `"other", ${bare}`, '*']) {
      const again = await ask('en', known)
      expect([known, again.status, again.text]).toEqual([known, 304, ''])
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await ask('en', '"other"')).status).toBe(200)
  })

  test('is sent in another language', async () => {
    const etag = (await call('GET', TOOLS)).headers.get('etag') ?? ''
    const { status, headers } = await ask('uk', etag)
    expect([status, headers.get('content-language')]).toEqual([200, 'uk'])
    expect(headers.get('etag')).not.toBe(etag)
  })
})
