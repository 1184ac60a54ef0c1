import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { IMAGE_PIXELS_MAX } from '../shared/images/formats.ts'
import { RUN_SECONDS_MAX } from '../shared/planning/longest-run.ts'
import { parseKeys } from '../shared/protocol/signature.ts'
import { CollectorHeaders } from '../shared/settings/collector-headers.ts'
import { DEPLOYMENTS } from '../shared/settings/setting-rule.ts'

const whole = (standard: number, least = 1) => z.coerce.number().int().min(least).default(standard)
const address = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .pipe(z.url())

const Environment = z.object({
  /** `local` allows addresses and keys of a developer's machine; see check-environment.ts. */
  ENVIRONMENT: z.enum(['local', ...DEPLOYMENTS]).default('production'),
  PORT: whole(8790, 0),
  HOST: z.string().default('127.0.0.1'),
  /** Serves Prometheus metrics without a signature, so the port must not be public. Without it there are none. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** An OpenTelemetry collector (OTLP over HTTP), without /v1/traces. Without it, no spans are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: CollectorHeaders.optional(),
  REDIS_URL: z.url().default('redis://127.0.0.1:6379'),
  /** The password of Redis, which may have any characters. In REDIS_URL, it would have to be percent-encoded. */
  REDIS_PASSWORD: z.string().min(1).optional(),
  EDGE_URL: address,
  FLEET_KEYS: z.string().transform(parseKeys).pipe(z.array(z.base64()).min(1)),
  S3_ENDPOINT: address,
  S3_BUCKET: z.string().min(1).default('media-files'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  /**
   * How long an attempt waits while the object storage does not respond. Then it fails, and the next one waits as long
   * again, so a job outlasts an outage of this times ATTEMPTS_MAX.
   */
  STORAGE_OUTAGE_SECONDS_MAX: whole(300, 0),
  WORK_DIRECTORY: z.string().default(join(tmpdir(), 'media-backend')),
  /**
   * Number of jobs that this process runs concurrently in each lane (shared/planning/lanes.ts). 0 leaves the lane to
   * other processes; with 0 everywhere, the process only accepts jobs. Images exceed the number of cores because some
   * wait for file I/O.
   */
  IMAGE_CONCURRENCY: whole(2 * availableParallelism(), 0),
  QUICK_CONCURRENCY: whole(Math.max(2, availableParallelism()), 0),
  LONG_CONCURRENCY: whole(1, 0),
  LINK_CONCURRENCY: whole(2, 0),
  /**
   * Length in seconds from which a video is cut into segments that the processes of the long lane share. 0 cuts none.
   * Set it once every process of the lane runs a version that knows it.
   */
  SPREAD_SECONDS_MIN: whole(0, 0),
  /** Added to the niceness of programs of the long lane, which then leave the processor to other lanes. */
  LONG_NICENESS: whole(10, 0).pipe(z.number().max(19)),
  /** Maximum estimated memory of all images drawn concurrently. A larger image runs only alongside small ones. */
  IMAGE_MEMORY_BYTES_MAX: whole(availableParallelism() * 1024 ** 3),
  /** Time until another worker takes over a dead worker's job. */
  LOCK_SECONDS: whole(30, 2),
  /**
   * Time that running jobs get to finish after SIGTERM. Then they return to their lanes, and other processes start
   * them over. The supervisor must wait ten seconds longer before it kills the process.
   */
  DRAIN_SECONDS: whole(0, 0),
  /**
   * Time limit of each attempt at a job. A job that would take longer on the smallest supported worker fails before its steps
   * (shared/planning/longest-run.ts). Steps with little work have a lower limit; see media-backend/job/time-limit.ts.
   */
  JOB_SECONDS_MAX: whole(RUN_SECONDS_MAX),
  IMAGE_SECONDS_MAX: whole(120),
  IMPORT_SECONDS_MAX: whole(900),
  /** Aborts downloads from slower senders long before IMPORT_SECONDS_MAX. */
  IMPORT_BYTES_PER_SECOND_MIN: whole(4096),
  /** How long an import waits in total for a server that fails for the moment, which is not charged. */
  IMPORT_WAIT_SECONDS_MAX: whole(120, 0),
  /** Maximum attempts per job after internal errors, and the first delay between two attempts. */
  ATTEMPTS_MAX: whole(3),
  RETRY_MS: whole(5000),
  /** Time limit for exporting all files of a result to a customer's storage, including retries. */
  EXPORT_SECONDS_MAX: whole(900),
  /** Aborts uploads to slower receivers long before EXPORT_SECONDS_MAX. */
  EXPORT_BYTES_PER_SECOND_MIN: whole(4096),
  INPUT_BYTES_MAX: whole(5 * 1024 ** 3),
  /** The maximum size of a single PUT to R2. */
  OUTPUT_BYTES_MAX: whole(5 * 1024 ** 3 - 5 * 1024 ** 2),
  /**
   * `required` refuses to start where the kernel cannot keep decoders from the secrets and the network of the fleet;
   * `optional` only logs it (docs/isolation.md). Required by default, except on a developer's machine.
   */
  DECODER_ISOLATION: z.enum(['required', 'optional']).optional(),
  PROCESS_MEMORY_BYTES_MAX: whole(8 * 1024 ** 3),
  /** Limit for input images. Results have the same limit, so every result can be used as an input. */
  IMAGE_PIXELS_MAX: whole(IMAGE_PIXELS_MAX),
  /** Limit for all frames of an animation that is drawn frame by frame. Each pixel takes 8 bytes of memory. */
  ANIMATION_PIXELS_MAX: whole(100_000_000),
  /** Folder that contains whisper.cpp models (ggml-small.bin …). If unset, pocketsphinx transcribes English only. */
  WHISPER_MODELS_DIRECTORY: z.string().optional(),
  /** Enables the operations that download media from links. Requires the operator's consent. */
  MEDIA_FETCH_ENABLED: z.stringbool().default(false),
  /** Maximum length of a linked video: first for plain downloads, then for links that are processed further. */
  MEDIA_MAX_DURATION_SEC: whole(3600),
  MAX_DURATION_SEC: whole(300),
  /** For tests only: allows imports from loopback and private networks. */
  ALLOW_PRIVATE_SOURCES: z.stringbool().default(false),
})
export type Environment = z.infer<typeof Environment>

/**
 * Parses the settings from process.env. Treats empty strings as unset.
 * @throws Error that lists every invalid setting.
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(renameSettings(set))
  if (parsed.success) return parsed.data
  throw new Error(`The settings of the fleet are invalid.\n${z.prettifyError(parsed.error)}`)
}

/** Settings of earlier versions, and the names that they have now. */
const RENAMED: Record<string, string> = { VIDEO_CONCURRENCY: 'LONG_CONCURRENCY' }

/**
 * Reads settings of earlier versions under their present names.
 * @throws Error if a setting has different values under both names.
 */
function renameSettings(set: Record<string, string | undefined>): Record<string, string | undefined> {
  const renamed = { ...set }
  for (const [former, present] of Object.entries(RENAMED)) {
    if (set[former] === undefined) continue
    if (set[present] !== undefined && set[present] !== set[former]) {
      throw new Error(`${former} is now called ${present}. Remove ${former} from the settings of the fleet.`)
    }
    renamed[present] = set[former]
  }
  return renamed
}
