import { DAY_MS } from '../../platform/rules/days.ts'

/** How often an account is told of its finished jobs. */
export const JOB_NOTIFICATIONS = ['off', 'each', 'daily'] as const
export type JobNotifications = (typeof JOB_NOTIFICATIONS)[number]

/** The emails that a person can end by their unsubscribe link. */
export const EMAIL_TOPICS = ['jobs', 'news'] as const
export type EmailTopic = (typeof EMAIL_TOPICS)[number]

/** Jobs that finish within it share one email, so that a batch does not send one for each file. */
const EACH_DELAY_MS = 2 * 60 * 1000
/** 07:00 UTC. */
const DAILY_AT_MS = 7 * 60 * 60 * 1000

/** When a job that finishes now is reported, for each way to be notified. */
export function summaryTimes(now: number): { each: number; daily: number } {
  const today = Math.floor(now / DAY_MS) * DAY_MS + DAILY_AT_MS
  return { each: now + EACH_DELAY_MS, daily: today > now ? today : today + DAY_MS }
}

/** The address that ends the emails of one topic. */
export function unsubscribeUrl(publicUrl: string, token: string, topic: EmailTopic): string {
  return `${publicUrl}/unsubscribe/${token}/${topic}`
}
