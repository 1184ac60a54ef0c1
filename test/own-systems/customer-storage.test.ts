import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { BUCKET, storageUrl } from '../../dev/system/wrangler-config.ts'
import { encodeKey } from '../../edge/storage-connections/rules/object-keys.ts'
import { type Account, openAccount } from '../support/accounts.ts'
import { useSecondSystem } from '../support/second-system.ts'

/** The storage of the customer is the S3 endpoint of the local R2, with a folder of its own. */
const system = useSecondSystem()
const PREFIX = 'of-a-customer'
const PATH = '/api/v1/storage-connections'
const PHOTO = 'in/моє фото #1+ü!.png'
let account: Account
let photo: Buffer

beforeAll(async () => {
  account = await openAccount(system().api_url)
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#4080c0' } })
    .png()
    .toBuffer()
  expect((await customer('PUT', PHOTO, photo)).status).toBe(200)
  expect((await connect('archive')).status).toBe(201)
})

/** Sends a request to the storage of the customer with the customer's own client. */
function customer(method: string, key: string, body?: Buffer): Promise<Response> {
  const { secrets, ports } = system()
  const client = new AwsClient({
    accessKeyId: secrets.s3_access_key_id,
    secretAccessKey: secrets.s3_secret_access_key,
    service: 's3',
    region: 'auto',
  })
  return client.fetch(`${storageUrl(ports)}/${BUCKET}/${encodeKey(`${PREFIX}/${key}`)}`, {
    method,
    ...(body === undefined ? {} : { body: new Uint8Array(body), headers: { 'content-type': 'image/png' } }),
  })
}

function connect(name: string, changed: object = {}, of = account): Promise<Response> {
  const { secrets, ports } = system()
  const connection = {
    name,
    endpoint: storageUrl(ports),
    region: 'auto',
    bucket: BUCKET,
    prefix: PREFIX,
    access_key_id: secrets.s3_access_key_id,
    secret_access_key: secrets.s3_secret_access_key,
  }
  return of.client.send('POST', PATH, { ...connection, ...changed })
}

interface Submission {
  file_url?: string
  output?: object
  params?: object
}

const RESIZE = { service_slug: 'image', operation_key: 'resize' }

function submit({ file_url = `storage://archive/${PHOTO}`, output, params = { width: 16 } }: Submission) {
  return account.client.send('POST', '/api/v1/jobs', {
    ...RESIZE,
    params: { ...params, file_url },
    ...(output === undefined ? {} : { output }),
  })
}

/** Submits a job that must be accepted, and returns its record after it has ended. */
async function run(submission: Submission) {
  const response = await submit(submission)
  expect(response.status, await response.clone().text()).toBe(201)
  const { id } = (await response.json()) as { id: string }
  await account.client.waitForJob(id, 60_000)
  return show(id)
}

interface ShownJob {
  id: string
  status: string
  error: string | null
  error_code: string | null
  params: Record<string, unknown>
  final_cost: number
  result: { url: string; filename: string; content_type: string; exported_to?: string } | null
}

async function show(id: string): Promise<ShownJob> {
  return (await account.client.send('GET', `/api/v1/jobs/${id}`)).json() as Promise<ShownJob>
}

async function check(name: string): Promise<object> {
  return (await account.client.send('POST', `${PATH}/${name}/check`)).json() as Promise<object>
}

describe('the storage of a customer', () => {
  test('is imported from and exported to, and the result stays with the service too', async () => {
    const output = { storage: 'archive', key: 'out/{operation_key}/{job_id}-{filename}' }
    const job = await run({ output })
    expect([job.status, job.error]).toEqual(['done', null])
    expect(job.params.file_url).toBe(`storage://archive/${PHOTO}`)
    const { url = '', filename = '', exported_to = '' } = job.result ?? {}
    const key = `out/resize/${job.id}-${filename}`
    expect(exported_to).toBe(`storage://archive/${key}`)
    const exported = await customer('GET', key)
    expect([exported.status, exported.headers.get('content-type')]).toEqual([200, 'image/png'])
    const ours = await account.client.download(url)
    expect(Buffer.from(await exported.arrayBuffer())).toEqual(Buffer.from(await ours.arrayBuffer()))
    const again = await run({ file_url: exported_to, params: { width: 32 } })
    expect(again.status).toBe('done')
  })

  test('can be checked', async () => {
    expect(await check('archive')).toEqual({ ok: true, problem: null, message: null, status: 200 })
  })

  test('that is offline is found by the check', async () => {
    await connect('offline', { endpoint: 'http://127.0.0.1:9' })
    expect(await check('offline')).toMatchObject({ ok: false, problem: 'unreachable', status: null })
  })

  test('that does not contain the object fails the job with its address, and refunds it', async () => {
    const job = await run({ file_url: 'storage://archive/in/missing.png' })
    expect([job.status, job.error_code, job.final_cost]).toEqual(['failed', 'download_failed', 0])
    expect(job.error).toContain('storage://archive/in/missing.png: the server responded with status 404')
  })

  test.each([
    ['a wrong secret', 'wrong-secret', { secret_access_key: 'wrong' }, ['wrong_secret', 'access_denied']],
    [
      'an unknown access key',
      'wrong-key',
      { access_key_id: 'UNKNOWN' },
      ['wrong_access_key', 'access_denied'],
    ],
    ['a missing bucket', 'no-bucket', { bucket: 'no-such-bucket' }, ['missing_bucket']],
  ])('with %s is found by the check, and its export fails the job and refunds it', async (...row) => {
    const [, name, changed, problems] = row
    expect((await connect(name, changed)).status).toBe(201)
    const checked = (await check(name)) as { ok: boolean; problem: string }
    expect([checked.ok, problems.includes(checked.problem)], checked.problem).toEqual([false, true])
    const job = await run({ output: { storage: name } })
    expect([job.status, job.error_code, job.final_cost, job.result]).toEqual([
      'failed',
      'export_failed',
      0,
      null,
    ])
    expect(job.error).toContain(`storage://${name}/`)
  })

  test('cannot be named by another account', async () => {
    const stranger = await openAccount(system().api_url)
    const body = { ...RESIZE, params: { width: 16, file_url: `storage://archive/${PHOTO}` } }
    const response = await stranger.client.send('POST', '/api/v1/jobs', body)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'invalid_file_url',
    ])
  })

  test('that is deleted while a job waits fails the job, and refunds it', async () => {
    await connect('short-lived')
    const { fleet } = system().parts
    await fleet.stop()
    const response = await submit({ file_url: `storage://short-lived/${PHOTO}` })
    const { id } = (await response.json()) as { id: string }
    expect((await account.client.send('DELETE', `${PATH}/short-lived`)).status).toBe(204)
    await fleet.start()
    await account.client.waitForJob(id, 60_000)
    const job = await show(id)
    expect([job.status, job.error_code, job.final_cost]).toEqual(['failed', 'download_failed', 0])
    expect(job.error).toContain('the storage connection does not exist')
  })

  test('leaves neither a signed URL nor a secret in logs, records or the queue', async () => {
    const { secrets, parts, work_directory } = system()
    const listed = await (await account.client.send('GET', '/api/v1/jobs')).text()
    const logs = await Promise.all(
      [parts.fleet, parts.edge].map(({ definition }) => readFile(definition.logFile, 'utf8')),
    )
    const appended = join(work_directory, '../redis/appendonlydir')
    const queue = await Promise.all(
      (await readdir(appended)).map((name) => readFile(join(appended, name), 'latin1')),
    )
    expect(queue.join('')).toContain('storage://archive/')
    for (const text of [listed, ...queue, ...logs]) {
      expect(text).not.toContain('X-Amz-Signature')
      expect(text).not.toContain(secrets.s3_secret_access_key)
    }
  })

  test('is refunded whole: the ledger is consistent', async () => {
    expect(await account.client.verifyLedger()).toMatchObject({ ok: true })
  })
})
