import { describe, expect, test } from 'vitest'
import { found, makeTestContext } from '../../test/edge/worker/context.ts'
import { MP4 } from '../../test/edge/worker/files.ts'
import { completeLink, makeLink, sendByLink, showSession } from '../../test/edge/worker/links.ts'
import { giveCredits, ledgerOf, register, SUBMISSION, showJob } from '../../test/edge/worker/people.ts'
import { COMPRESS, publicFiles, showBatch } from '../../test/edge/worker/studio.ts'

const testContext = makeTestContext()
const { call } = testContext
const LABELS = { tag: 'Rechnung № 7', metadata: { customer: 'c-1', count: 2, urgent: true, parent: null } }
const NONE = { tag: null, metadata: {} }
const file_url = 'https://media.example.org/clip.mp4'

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...COMPRESS, ...fields })) form.append(name, value)
  form.append('file', new Blob([MP4.bytes], { type: MP4.content_type }), MP4.filename)
  return form
}

describe('tag and metadata', () => {
  test('of a job are returned with it, and repeated with it', async () => {
    const person = await register(testContext)
    const { token } = person
    const submitted = await call('POST', '/api/v1/jobs', { token, body: { ...SUBMISSION, ...LABELS } })
    expect([submitted.status, submitted.json]).toEqual([201, expect.objectContaining(LABELS)])
    const { id } = submitted.json
    expect(await showJob(testContext, person, id)).toMatchObject(LABELS)
    expect((await call('GET', '/api/v1/jobs', { token })).json[0]).toMatchObject(LABELS)
    const repeated = await call('POST', `/api/v1/jobs/${id}/repeat`, { token })
    expect(repeated.json).toMatchObject({ ...LABELS, repeat_of: id })
  })

  test('are null and empty on a job without them, also if null was sent', async () => {
    const { token } = await register(testContext)
    for (const given of [{}, { tag: null }]) {
      const answer = await call('POST', '/api/v1/jobs', { token, body: { ...SUBMISSION, ...given } })
      expect(answer.json).toMatchObject(NONE)
      expect(answer.json.metadata).toEqual({})
    }
  })

  test('are accepted by the studio and by the form, with metadata as JSON', async () => {
    const { token } = await register(testContext)
    const run = await call('POST', '/api/v1/studio/run', {
      token,
      body: { ...COMPRESS, file_url, ...LABELS },
    })
    expect(run.json.job).toMatchObject(LABELS)
    const content = formOf({ tag: LABELS.tag, metadata: JSON.stringify(LABELS.metadata) })
    const uploaded = await call('POST', '/api/v1/jobs/upload', { token, content })
    expect([uploaded.status, uploaded.json]).toEqual([201, expect.objectContaining(LABELS)])
    const plain = await call('POST', '/api/v1/jobs/upload', { token, content: formOf({}) })
    expect(plain.json).toMatchObject(NONE)
  })

  test('of a batch are those of its jobs, and repeated with it', async () => {
    const person = await register(testContext)
    const { token } = person
    const body = { ...COMPRESS, file_urls: publicFiles(2), ...LABELS }
    const batch = (await call('POST', '/api/v1/studio/batch', { token, body })).json
    expect(batch).toMatchObject({ ...LABELS, jobs: [LABELS, LABELS] })
    expect(await showBatch(testContext, person, batch.id)).toEqual(batch)
    const repeated = await call('POST', `/api/v1/studio/batches/${batch.id}/repeat`, { token })
    expect(repeated.json).toMatchObject({ ...LABELS, repeat_of: batch.id, jobs: [LABELS, LABELS] })
  })

  test('of an upload session are those of its job', async () => {
    const person = await register(testContext)
    const link = await makeLink(testContext, person, LABELS)
    expect(await showSession(testContext, person, link)).toMatchObject(LABELS)
    await completeLink(testContext, link, await sendByLink(testContext, link))
    const { job_id } = await showSession(testContext, person, link)
    expect(await showJob(testContext, person, found(job_id))).toMatchObject({ ...LABELS, source: 'bridge' })
  })

  test('of the largest size fit into a batch of 200 files', async () => {
    const person = await register(testContext)
    await giveCredits(testContext, person, 1000)
    const metadata = { a: '\u0001'.repeat(340) }
    const body = { ...COMPRESS, file_urls: publicFiles(200), metadata }
    const batch = await call('POST', '/api/v1/studio/batch', { token: person.token, body })
    expect([batch.status, batch.json.jobs.at(-1)?.metadata]).toEqual([201, metadata])
  })
})

describe('an invalid label is refused, and nothing is charged', () => {
  const tooLarge = (character: string, count: number) => ({ a: character.repeat(count) })

  test.each<[object, string, string]>([
    [{ tag: '' }, 'tag', 'too_small'],
    [{ tag: 'x'.repeat(65) }, 'tag', 'too_big'],
    [{ tag: 'a\u0007b' }, 'tag', 'invalid_format'],
    [{ tag: 7 }, 'tag', 'invalid_type'],
    [{ metadata: 'x' }, 'metadata', 'invalid_type'],
    [{ metadata: [] }, 'metadata', 'invalid_type'],
    [{ metadata: null }, 'metadata', 'invalid_type'],
    [{ metadata: { a: {} } }, 'metadata.a', 'invalid_union'],
    [{ metadata: { a: [1] } }, 'metadata.a', 'invalid_union'],
    [{ metadata: { '': 1 } }, 'metadata.', 'invalid_key'],
    [{ metadata: { 'a\u0000': 1 } }, 'metadata.a\u0000', 'invalid_key'],
    [{ metadata: { ['k'.repeat(65)]: 1 } }, `metadata.${'k'.repeat(65)}`, 'invalid_key'],
    [{ metadata: tooLarge('x', 2041) }, 'metadata', 'metadata_too_large'],
    [{ metadata: tooLarge('ї', 1021) }, 'metadata', 'metadata_too_large'],
    [{ metadata: tooLarge('💳', 511) }, 'metadata', 'metadata_too_large'],
  ])('%#', async (given, field, type) => {
    const person = await register(testContext)
    const answer = await call('POST', '/api/v1/jobs', {
      token: person.token,
      body: { ...SUBMISSION, ...given },
    })
    const [fault] = answer.faults
    expect([answer.status, fault?.loc.join('.'), fault?.type]).toEqual([422, `body.${field}`, type])
    expect((await ledgerOf(testContext, person)).balance).toBe(20)
  })

  test.each([
    ['{', 'json_text_invalid'],
    ['"x"', 'invalid_type'],
    ['{"a": "\\ud800"}', 'unstorable_metadata'],
    ['{"__proto__": 1}', 'unstorable_metadata'],
    [JSON.stringify(tooLarge('x', 2041)), 'metadata_too_large'],
  ])('in a form: %#', async (metadata, type) => {
    const { token } = await register(testContext)
    const answer = await call('POST', '/api/v1/jobs/upload', { token, content: formOf({ metadata }) })
    expect([answer.status, answer.faults[0]?.loc, answer.faults[0]?.type]).toEqual([
      422,
      ['body', 'metadata'],
      type,
    ])
  })

  test.each([
    ['x', 2040],
    ['ї', 1020],
    ['💳', 510],
  ])('but metadata of exactly 2048 bytes of %s is accepted', async (character, count) => {
    const { token } = await register(testContext)
    const metadata = tooLarge(character, count)
    const answer = await call('POST', '/api/v1/jobs', { token, body: { ...SUBMISSION, metadata } })
    expect([answer.status, answer.json.metadata]).toEqual([201, metadata])
  })
})
