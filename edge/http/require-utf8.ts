import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import type { AppEnv } from './context.ts'

const JSON_TYPE = /^application\/([a-z.-]+\+)?json\s*(;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^;"\s]*)/i

/**
 * Refuses a JSON body in another encoding than UTF-8: 415 if the header names one, otherwise 422. Decoding would
 * replace the bytes that are not UTF-8, and so damage what the caller sent. Contract: Conventions, Format.
 */
export const requireUtf8: MiddlewareHandler<AppEnv> = async ({ req }, next) => {
  const type = req.header('content-type') ?? ''
  if (!JSON_TYPE.test(type)) return next()
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) throw new ApiError('unsupported_media_type')
  if (!isUtf8(await req.arrayBuffer())) {
    throw new ApiError('validation_failed', { faults: [faultAt(['body'], 'json_invalid')] })
  }
  return next()
}

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return true
  } catch {
    return false
  }
}
