import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FormFault } from '../errors/rules/form-faults.ts'
import { dropRest } from './request-body.ts'

/** A form's file as a stream. Parsing continues only after the stream has been read to its end. */
export interface FormFile {
  filename: string
  content_type: string
  content: AsyncIterable<Uint8Array>
}

const FILE_FIELD = 'file'

/** Thrown for an invalid form. */
export class FormError extends Error {
  override name = 'FormError'
  readonly fault: FormFault
  /** Field at fault. Defaults to the field of the file. */
  readonly field: string

  constructor(fault: FormFault, field = FILE_FIELD) {
    super(fault)
    this.fault = fault
    this.field = field
  }
}

const LIMITS = { fieldNameSize: 100, fieldSize: 256 * 1024, fields: 20, files: 2, parts: 30, headerPairs: 20 }

type Parser = InstanceType<typeof Busboy>

/**
 * Parses a multipart form as a stream with backpressure to keep little of the file in memory. Throws FormError, and
 * any error that `receiveFile` throws.
 * @param receiveFile receives the file in the field `file` and the fields before it.
 * @param isDigested whether to compute a digest of the content that does not depend on the boundary.
 * @returns the other fields as text, the result of `receiveFile` (null without a file), and the digest.
 */
export async function readForm<Received>(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  receiveFile: (file: FormFile, fields: Readonly<Record<string, string>>) => Promise<Received>,
  isDigested = false,
): Promise<{ fields: Record<string, string>; received: Received | null; digest: string | undefined }> {
  const parser = openParser(contentType)
  const fields: Record<string, string> = {}
  const files: {
    stream: Readable
    receiving: Promise<Received>
    about: [string, string]
    hash: Hash | null
  }[] = []
  let fail: (reason: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  parser.on('error', () => fail(new FormError('malformed')))
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(new FormError('field_too_long', name))
    fields[name] = value
  })
  parser.on('file', (name, stream, filename, _encoding, content_type) => {
    // Prevents an unhandled error event; readers of the stream still receive the error.
    stream.on('error', () => undefined)
    if (name !== FILE_FIELD || files.length > 0) {
      stream.resume()
      return fail(files.length > 0 ? new FormError('extra_file') : new FormError('wrong_file_field', name))
    }
    const hash = isDigested ? createHash('sha256') : null
    const file = { filename: filename ?? '', content_type, content: piecesOf(stream, hash) }
    const receiving = receiveFile(file, fields)
    receiving.catch(fail)
    files.push({ stream, receiving, about: [filename ?? '', content_type], hash })
  })
  try {
    await feed(parser, body, failed)
    const received = await Promise.race([files[0]?.receiving ?? null, failed])
    const contents = files.map(({ about, hash }) => [...about, hash?.digest('hex')])
    const digest = isDigested ? digestOf([Object.entries(fields).toSorted(), contents]) : undefined
    return { fields, received, digest }
  } catch (error) {
    for (const { stream, receiving } of files) {
      stream.destroy(new FormError('truncated'))
      await receiving.catch(() => undefined)
    }
    throw error
  }
}

/** Returns the digest of a form; null if the form is invalid or its file is too large. */
export async function digestForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  bytes_max: number,
): Promise<string | null> {
  const passOver = async ({ content }: FormFile) => {
    let size_bytes = 0
    for await (const piece of content) {
      size_bytes += piece.length
      if (size_bytes > bytes_max) throw new FormError('file_too_large')
    }
  }
  try {
    return (await readForm(body, contentType, passOver, true)).digest ?? null
  } catch (error) {
    if (error instanceof FormError) return null
    throw error
  }
}

function digestOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

async function* piecesOf(stream: Readable, hash: Hash | null): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) {
      hash?.update(piece as Uint8Array)
      yield piece as Uint8Array
    }
  } catch {
    throw new FormError('truncated_file')
  }
}

function openParser(contentType: string): Parser {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    throw new FormError('not_a_form')
  }
}

/** Feeds the parser with backpressure, and discards the rest of a refused form. */
async function feed(parser: Parser, body: ReadableStream<Uint8Array>, failed: Promise<never>): Promise<void> {
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve)
  })
  const reader = body.getReader()
  const next = () => Promise.race([reader.read(), failed])
  try {
    for (let read = await next(); !read.done; read = await next()) {
      const { value } = read
      const written = new Promise<void>((resolve) => {
        parser.write(value, () => resolve())
      })
      await Promise.race([written, failed])
    }
    parser.end()
    await Promise.race([finished, failed])
  } catch (error) {
    await dropRest(reader)
    throw error
  }
}
