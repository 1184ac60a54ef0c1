import { expect, test } from 'vitest'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'

const { call } = makeTestContext()

interface Tool {
  operation_id: number
  service_slug: string
  operation_key: string
  accepts: string[]
  config: {
    family: string | null
    fields: { key: string; type: string; min: number | null; max: number | null }[]
    presets: { label: string; params: object }[]
  }
  presets: { index: number; label: string }[]
}

async function listTools(): Promise<Tool[]> {
  const answer = await call('GET', '/api/v1/studio/tools')
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
    max: 51,
  })
})
