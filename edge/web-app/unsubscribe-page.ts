import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { throttleMisses } from '../http/throttle-misses.ts'
import { findLinkTopic, unsubscribe } from '../notifications/unsubscribe.ts'
import { answerDocument } from './answer-page.ts'

/**
 * Handles an unsubscribe link. GET shows a page that asks for confirmation, because mail scanners open links. POST
 * unsubscribes, whether it comes from the page or from a mail client's one-click button (RFC 8058). Both return 404 for
 * an unknown link, and 429 to an address that requests many of them.
 */
export async function answerUnsubscribePage(
  context: Context<AppEnv, '/unsubscribe/:token/:topic'>,
): Promise<Response> {
  const deps = context.get('deps')
  const { token, topic } = context.req.param()
  if (context.req.method === 'POST') {
    const ended = await throttleMisses(context, { find: () => unsubscribe(deps, token, topic) })
    return new Response(null, { status: ended ? 200 : 404, headers: { 'cache-control': 'no-store' } })
  }
  const found = await throttleMisses(context, { find: () => findLinkTopic(deps, token, topic) })
  return answerDocument(context, found === null ? 404 : 200)
}
