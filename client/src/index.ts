export type { Endpoints } from '../generated/endpoints.ts'
export type {
  ImageOperations,
  LinksOperations,
  Submission,
  VideoOperations,
} from '../generated/operations.ts'
export type * from '../generated/types.ts'
export type { Batches, BatchOptions, BatchSpec } from './batches.ts'
export { JobError, MediaError, type MediaErrorCode } from './error.ts'
export type { JobEvent } from './events.ts'
export type { Jobs } from './jobs.ts'
export { Media } from './media.ts'
export type {
  CallOptions,
  Input,
  MediaOptions,
  Progress,
  RunOptions,
  UploadHandle,
  UploadOptions,
} from './options.ts'
export type { Page } from './page.ts'
export { MediaResult, type ResultBody, ResultFile, type TransferOptions } from './result.ts'
export type { UploadedFile } from './upload.ts'
export { signWebhook, type VerifyOptions, verifyWebhook } from './webhooks.ts'
