import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'

/** The file of a form, as it comes in; it must be read to its end, or the form goes no further. */
export interface FormFile {
  filename: string
  content_type: string
  content: AsyncIterable<Uint8Array>
}

/** What is wrong with a form, for the person who sent it. */
export class FormError extends Error {
  override name = 'FormError'
}

const FILE_FIELD = 'file'
const LIMITS = { fieldNameSize: 100, fieldSize: 256 * 1024, fields: 20, files: 2, parts: 30, headerPairs: 20 }

type Parser = InstanceType<typeof Busboy>

/**
 * Reads a multipart form while it comes in: little of its file is in memory at any time, since what can't
 * be taken on yet isn't read yet. Throws FormError, and whatever `take` throws.
 * @param take is given the field `file`.
 * @returns the other fields as text, and what `take` made of the file; null where there was none.
 */
export async function readForm<Taken>(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  take: (file: FormFile) => Promise<Taken>,
): Promise<{ fields: Record<string, string>; taken: Taken | null }> {
  const parser = openParser(contentType)
  const fields: Record<string, string> = {}
  const files: { stream: Readable; taking: Promise<Taken> }[] = []
  let fail: (reason: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  parser.on('error', () => fail(new FormError('the body is not a whole multipart form')))
  parser.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) fail(new FormError(`the field ${name} is too long`))
    fields[name] = value
  })
  parser.on('file', (name, stream, filename, _encoding, content_type) => {
    // Who reads the stream hears of its faults; one that nobody reads may have them in peace.
    stream.on('error', () => undefined)
    if (name !== FILE_FIELD || files.length > 0) {
      stream.resume()
      return fail(new FormError(`the form takes one file, in the field ${FILE_FIELD}`))
    }
    const taking = take({ filename: filename ?? '', content_type, content: piecesOf(stream) })
    taking.catch(fail)
    files.push({ stream, taking })
  })
  try {
    await Promise.race([feed(parser, body, failed), failed])
    return { fields, taken: await Promise.race([files[0]?.taking ?? null, failed]) }
  } catch (error) {
    for (const { stream, taking } of files) {
      stream.destroy(new FormError('the form broke off'))
      await taking.catch(() => undefined)
    }
    throw error
  }
}

async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream) yield piece as Uint8Array
  } catch {
    throw new FormError('the form broke off in the middle of its file')
  }
}

function openParser(contentType: string): Parser {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
  } catch {
    throw new FormError('the body must be a form, sent as multipart/form-data with a boundary')
  }
}

/** Hands the body on piece by piece; each waits until the parser has room for it. */
async function feed(parser: Parser, body: ReadableStream<Uint8Array>, failed: Promise<never>): Promise<void> {
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve)
  })
  for await (const chunk of body) {
    const written = new Promise<void>((resolve) => {
      parser.write(chunk, () => resolve())
    })
    await Promise.race([written, failed])
  }
  parser.end()
  await Promise.race([finished, failed])
}
