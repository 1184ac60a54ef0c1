import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleParams } from '../../shared/operations/examples.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { type Dispatch, PipelineStage } from '../../shared/protocol/dispatch.ts'
import { checkBody } from '../testing/check-body.ts'
import { makeClip, photo, tone, video } from '../testing/clips.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { sentence, talk } from '../testing/speech.ts'
import { startVideoSite, type VideoSite } from '../testing/video-site.ts'

let site: VideoSite
let jobs: JobRunner
beforeAll(async () => {
  site = await startVideoSite({ '/clip.mp4': await sentence(), '/image.jpg': await photo(640, 360) })
  jobs = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true', MEDIA_FETCH_ENABLED: 'true' })
})
afterAll(() => Promise.all([jobs.close(), site.close()]))

/** Returns a job that runs the operation with the params of its example, on an input that it accepts. */
function jobOf(operation: Operation): Partial<Dispatch> {
  const { service: service_slug, key: operation_key, accepts } = operation
  const { operations = [], ...params } = exampleParams(operation)
  const pipeline = PipelineStage.array().parse(operations)
  const spec = { service_slug, operation_key, params, pipeline }
  if (!accepts.includes('link')) return spec
  const url = `${site.url}/page`
  return { ...spec, params: { ...params, url }, source: { kind: 'link', url } }
}

async function filesOf({ accepts, key, facts }: Operation): Promise<Record<string, Buffer>> {
  if (accepts.includes('link')) return {}
  if (accepts.includes('image')) return { input: await photo(640, 360) }
  const input = await inputOf(key, facts)
  return key === 'add_audio' ? { input, '0-tracks.0.url': await makeClip('music.mp3', tone(2)) } : { input }
}

/** Returns a clip with what the example needs: a pause to cut, five seconds to skip, or speech. */
function inputOf(key: string, facts: Operation['facts']): Promise<Buffer> {
  if (key === 'auto_edit' || key === 'trim') return talk('64x64')
  return facts.includes('transcript') ? sentence() : video(1, '160x90')
}

// The runner compares each body with the schema of its operation.
test.each(OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const))(
  'the body of %s is what the operation declares',
  async (_, operation) => {
    const { outcome } = await jobs.run(jobOf(operation), await filesOf(operation))
    expect(outcome.body).toHaveProperty('format')
  },
)

test('the body of a pipeline is that of its last operation, with the fields of the others', async () => {
  const operations = [{ operation_key: 'thumbnail', params: {} }]
  const { outcome } = await jobs.run(
    { operation_key: 'trim', params: { duration: 1 }, pipeline: operations },
    { input: await talk() },
  )
  expect(outcome.body).toEqual({ width: 320, height: 180, format: 'jpeg' })
})

test('a body with an undeclared field, or without a required one, fails the tests', () => {
  const job = { service_slug: 'image' as const, operation_key: 'resize', pipeline: [] }
  const body = { width: 1, height: 1, format: 'png' }
  expect(() => checkBody(job, body)).not.toThrow()
  expect(() => checkBody(job, { ...body, quality: 80 })).toThrow('quality')
  expect(() => checkBody(job, { width: 1, height: 1 })).toThrow('format')
})
