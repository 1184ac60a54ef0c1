import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fleet } from '../fleet.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { sentence } from '../testing/speech.ts'
import { SAID_BY_MODEL, TRANSLATED_BY_MODEL, writeWhisperModel } from '../testing/whisper-model.ts'

let models = ''
let context: TestContext
let fleet: Fleet
beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'fleet-models-'))
  await writeWhisperModel(join(models, 'ggml-tiny.bin'))
  context = await startTestContext()
  fleet = await context.startFleet({ WHISPER_MODELS_DIRECTORY: models })
})
afterAll(async () => {
  await context.close()
  await rm(models, { recursive: true })
})

test.each([
  ['transcribe', 'uk', SAID_BY_MODEL],
  ['translate', 'en', TRANSLATED_BY_MODEL],
])('a job that %ss writes subtitles in %s', async (task, language, text) => {
  const spec = {
    service_slug: 'video',
    operation_key: 'transcribe',
    params: { format: 'srt', task },
  } as const
  const { outcome } = await context.run(fleet.port, context.dispatch(await sentence(), spec))
  expect(outcome).toMatchObject({ status: 'done', body: { language, text } })
  if (outcome.status !== 'done') return
  const file = context.storage.objects.get(outcome.files[0]?.key ?? '')?.toString()
  expect(file).toMatch(new RegExp(`^1\n00:00:00,\\d+ --> 00:00:0\\d,\\d+\n${text}\\s*$`))
})
