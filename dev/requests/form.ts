import type { Random } from './random.ts'

export interface Form {
  body: Buffer
  content_type: string
}

export interface SampleFile {
  filename: string
  content_type: string
  content: Buffer
}

const BOUNDARY = 'xxBOUNDARYxx'

/**
 * Encodes the fields as a multipart form. A text field named `file` is replaced with the content of the `file`
 * argument.
 */
export function formOf(value: unknown, file: SampleFile, random: Random): Form {
  const fields =
    typeof value === 'object' && value !== null
      ? Object.entries(value).filter(([, field]) => field !== null)
      : []
  const parts = fields.map(([name, field]) => {
    const disposition = `content-disposition: form-data; name="${name.replace(/["\r\n]/g, '_')}"`
    if (name === 'file' && typeof field === 'string') {
      const head = `${disposition}; filename="${random.pick([file.filename, 'фото 1.png', '../a.png', ''])}"`
      return [Buffer.from(`${head}\r\ncontent-type: ${file.content_type}`), file.content]
    }
    const text = typeof field === 'string' ? field : JSON.stringify(field)
    return [Buffer.from(disposition), Buffer.from(text)]
  })
  const pieces = parts.flatMap(([head, content]) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    ...[head, Buffer.from('\r\n\r\n'), content, Buffer.from('\r\n')].filter((piece) => piece !== undefined),
  ])
  const body = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
  return { body, content_type: `multipart/form-data; boundary=${BOUNDARY}` }
}

export function corruptForm({ body, content_type }: Form, random: Random): Form {
  const cut = random.int(0, body.length)
  return random.pick<() => Form>([
    () => ({ body: body.subarray(0, cut), content_type }),
    () => ({ body, content_type: 'multipart/form-data' }),
    () => ({ body, content_type: 'multipart/form-data; boundary=other' }),
    () => ({ body, content_type: 'application/json' }),
    () => ({
      body: Buffer.concat([body.subarray(0, cut), Buffer.from([0, 0xff, 13, 10]), body.subarray(cut)]),
      content_type,
    }),
    () => ({ body: Buffer.concat([body, body]), content_type }),
    () => ({ body: Buffer.alloc(0), content_type }),
  ])()
}
