import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { IMAGE_PIXELS_MAX } from '../shared/images/formats.ts'
import { parseKeys } from '../shared/protocol/signature.ts'

const whole = (standard: number, least = 1) => z.coerce.number().int().min(least).default(standard)
const address = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .pipe(z.url())

const Environment = z.object({
  PORT: whole(8790, 0),
  HOST: z.string().default('127.0.0.1'),
  REDIS_URL: z.url().default('redis://127.0.0.1:6379'),
  EDGE_URL: address,
  FLEET_KEYS: z.string().transform(parseKeys).pipe(z.array(z.base64()).min(1)),
  S3_ENDPOINT: address,
  S3_BUCKET: z.string().min(1).default('media-files'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  WORK_DIRECTORY: z.string().default(join(tmpdir(), 'media-backend')),
  VIDEO_CONCURRENCY: whole(1),
  /** Images drawn at once. More than the cores: while one reads or writes its file, another is drawn. */
  IMAGE_CONCURRENCY: whole(2 * availableParallelism()),
  /** Memory of the images drawn at once, by an estimate; a larger one is drawn beside small ones alone. */
  IMAGE_MEMORY_BYTES_MAX: whole(availableParallelism() * 1024 ** 3),
  /** An image that is estimated to take more is drawn in a process of its own: 50 megapixels, 21 as AVIF. */
  IMAGE_PROCESS_BYTES_MIN: whole(700_000_000),
  /** How long a dead worker's job waits before another takes it over. */
  LOCK_SECONDS: whole(30, 2),
  /** Of every job. Steps with little to do have less time; see time-limit.ts. */
  JOB_SECONDS_MAX: whole(7200),
  IMAGE_SECONDS_MAX: whole(120),
  IMPORT_SECONDS_MAX: whole(900),
  /** A sender that drips is given up long before that. */
  IMPORT_BYTES_PER_SECOND_MIN: whole(4096),
  /** How often a job is tried when the fault is ours, and the first pause between two tries. */
  ATTEMPTS_MAX: whole(3),
  RETRY_MS: whole(5000),
  INPUT_BYTES_MAX: whole(5 * 1024 ** 3),
  /** What R2 takes in one PUT. */
  OUTPUT_BYTES_MAX: whole(5 * 1024 ** 3 - 5 * 1024 ** 2),
  PROCESS_MEMORY_BYTES_MAX: whole(8 * 1024 ** 3),
  /** Of an input. Results have up to IMAGE_PIXELS_MAX: with less, some could not be taken in again. */
  IMAGE_PIXELS_MAX: whole(IMAGE_PIXELS_MAX),
  /** Of all frames of an animation that are drawn one by one: twice four bytes each lie in our own memory. */
  ANIMATION_PIXELS_MAX: whole(100_000_000),
  /** A folder of whisper.cpp models (ggml-small.bin …); without it pocketsphinx listens, to English alone. */
  WHISPER_MODELS_DIRECTORY: z.string().optional(),
  /** The operator's consent to fetch media behind links: the operations that do are off without it. */
  MEDIA_FETCH_ENABLED: z.stringbool().default(false),
  /** Length of a linked video that is only downloaded, and of one that is also worked on. */
  MEDIA_MAX_DURATION_SEC: whole(3600),
  MAX_DURATION_SEC: whole(300),
  /** Only for tests: imports from loopback and private networks, which are refused otherwise. */
  ALLOW_PRIVATE_SOURCES: z.stringbool().default(false),
})
export type Environment = z.infer<typeof Environment>

/**
 * The fleet's settings out of process.env; empty strings count as not set.
 * @throws Error that names every setting at fault.
 */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (parsed.success) return parsed.data
  throw new Error(`The fleet's settings are not complete.\n${z.prettifyError(parsed.error)}`)
}
