/** An event of a stream of server-sent events (WHATWG HTML, 9.2). */
export interface ServerEvent {
  event: string
  id: string
  data: string
}

/** Reads the events of a response as they arrive. */
export async function* readServerEvents(response: Response): AsyncGenerator<ServerEvent> {
  const parser = new ServerEventParser()
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield* parser.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    // Closes the connection when the consumer stops reading.
    await reader.cancel().catch(() => undefined)
  }
}

/** Splits text that arrives in arbitrary pieces into events. */
export class ServerEventParser {
  private text = ''
  private id = ''

  /** @returns the events that this piece of text completes */
  push(piece: string): ServerEvent[] {
    this.text = (this.text + piece).replace(/\r\n|\r(?!$)/g, '\n')
    const blocks = this.text.split('\n\n')
    this.text = blocks.pop() ?? ''
    return blocks.flatMap((block) => this.parse(block))
  }

  private parse(block: string): ServerEvent[] {
    const data: string[] = []
    let event = 'message'
    for (const line of block.split('\n')) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === 'data') data.push(value)
      if (field === 'event') event = value
      if (field === 'id') this.id = value
    }
    return data.length === 0 ? [] : [{ event, id: this.id, data: data.join('\n') }]
  }
}
