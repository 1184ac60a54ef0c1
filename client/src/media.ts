import type { Endpoints } from '../generated/endpoints.ts'
import {
  type ImageOperations,
  type LinksOperations,
  OPERATIONS,
  type Submission,
  type VideoOperations,
} from '../generated/operations.ts'
import { type Batches, makeBatches } from './batches.ts'
import { camelCase } from './camel-case.ts'
import { makeGroup } from './groups.ts'
import { type Jobs, makeJobs, runJob } from './jobs.ts'
import type { Input, MediaOptions, RunOptions, UploadOptions } from './options.ts'
import { type Platform, webPlatform } from './platform.ts'
import type { MediaResult } from './result.ts'
import { Transport } from './transport.ts'
import { type UploadedFile, uploadInput } from './upload.ts'
import { verifyWebhook } from './webhooks.ts'

const MAX_RETRIES = 4
const MAX_WAIT_MS = 120_000
const TIMEOUT_MS = 60_000

type Uploads = Endpoints['uploads'] & {
  /**
   * Uploads a file of any size, in parts if it is large. Jobs accept the returned `url` as their input. With
   * `onHandle`, an upload that ends early can be continued.
   */
  file(input: Input, options?: UploadOptions): Promise<UploadedFile>
}

type Webhooks = Endpoints['webhooks'] & {
  /** Verifies the signature of an event and returns the event. Throws MediaError if the signature is invalid. */
  verify: typeof verifyWebhook
}

/** Client of the service. Each group of methods matches a group of endpoints; `video`, `image` and `links` run jobs. */
export class Media {
  readonly video: VideoOperations
  readonly image: ImageOperations
  readonly links: LinksOperations
  readonly jobs: Jobs
  readonly batches: Batches
  readonly templates: Endpoints['templates']
  readonly uploads: Uploads
  readonly uploadSessions: Endpoints['uploadSessions']
  readonly uploadLinks: Endpoints['uploadLinks']
  readonly webhooks: Webhooks
  readonly studio: Endpoints['studio']
  readonly me: Endpoints['me']
  readonly auth: Endpoints['auth']
  readonly apiKeys: Endpoints['apiKeys']
  readonly favorites: Endpoints['favorites']
  readonly notifications: Endpoints['notifications']
  readonly billing: Endpoints['billing']
  readonly statistics: Endpoints['statistics']
  readonly messenger: Endpoints['messenger']
  readonly public: Endpoints['public']
  readonly health: Endpoints['health']

  /** @throws TypeError if there is no API URL */
  constructor(options: MediaOptions = {}, platform: Platform = webPlatform) {
    const transport = new Transport({
      apiUrl: readApiUrl(options.apiUrl),
      apiKey: options.apiKey ?? readEnvironment('MEDIA_API_KEY'),
      language: options.language,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      stallMs: options.stallMs,
      fetch: options.fetch,
    })
    const group = <Name extends keyof Endpoints>(name: Name) => makeGroup(transport, name)
    const uploads = group('uploads')
    const context = { transport, platform, uploads }
    this.jobs = makeJobs(context, group('jobs'))
    this.uploads = { ...uploads, file: (input, uploading) => uploadInput(context, input, uploading) }
    this.webhooks = { ...group('webhooks'), verify: verifyWebhook }
    this.batches = makeBatches(context, group('batches'))
    this.templates = group('templates')
    this.uploadSessions = group('uploadSessions')
    this.uploadLinks = group('uploadLinks')
    this.studio = group('studio')
    this.me = group('me')
    this.auth = group('auth')
    this.apiKeys = group('apiKeys')
    this.favorites = group('favorites')
    this.notifications = group('notifications')
    this.billing = group('billing')
    this.statistics = group('statistics')
    this.messenger = group('messenger')
    this.public = group('public')
    this.health = group('health')
    this.video = this.operations('video') as unknown as VideoOperations
    this.image = this.operations('image') as unknown as ImageOperations
    this.links = this.operations('links') as unknown as LinksOperations
  }

  /** Uploads the file unless it is a URL, runs the job, and returns its result. Throws JobError if the job fails. */
  run(submission: Submission, options?: RunOptions): Promise<MediaResult> {
    return runJob(this.jobs, submission, options)
  }

  private operations(group: keyof typeof OPERATIONS) {
    const is_link = group === 'links'
    const methods = OPERATIONS[group].split(' ').map((operation) => [
      camelCase(is_link ? operation.replace(/^link_/, '') : operation),
      (input: Input, params?: object, options?: RunOptions) => {
        const source = is_link ? { url: input } : { file: input }
        const service = is_link ? 'video' : group
        return this.run({ service, operation, ...source, params } as Submission, options)
      },
    ])
    return Object.fromEntries(methods)
  }
}

function readApiUrl(option: string | undefined): string {
  const url = option ?? readEnvironment('MEDIA_API_URL') ?? ''
  if (url === '') throw new TypeError('The API URL is missing. Pass apiUrl, or set MEDIA_API_URL.')
  return url.replace(/\/+$/, '')
}

function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
