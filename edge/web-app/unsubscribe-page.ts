import type { Context } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { findLinkTopic, unsubscribe } from '../notifications/unsubscribe.ts'
import { answerDocument } from './answer-page.ts'

/**
 * Handles an unsubscribe link. GET shows a page that asks for confirmation, because mail scanners open links. POST
 * unsubscribes, whether it comes from the page or from a mail client's one-click button (RFC 8058). Both return 404 for
 * an unknown link.
 */
export async function answerUnsubscribePage(
  context: Context<AppEnv, '/unsubscribe/:token/:topic'>,
): Promise<Response> {
  const deps = context.get('deps')
  const { token, topic } = context.req.param()
  if (context.req.method === 'POST') {
    const status = (await unsubscribe(deps, token, topic)) ? 200 : 404
    return new Response(null, { status, headers: { 'cache-control': 'no-store' } })
  }
  return answerDocument(context, (await findLinkTopic(deps, token, topic)) === null ? 404 : 200)
}
