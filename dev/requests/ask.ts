import type { Client } from '../client.ts'

/** Sends a request that must succeed. @returns the response body */
export async function ask<Answer>(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await client.send(method, path, body)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
  return (text === '' ? null : JSON.parse(text)) as Answer
}
