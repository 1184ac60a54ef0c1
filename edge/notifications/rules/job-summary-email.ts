import type { Locale } from '../../../shared/text/texts.ts'
import type { EmailContent } from '../../emails/rules/content.ts'

export interface JobSummary {
  done: number
  failed: number
  /** The newest jobs in the summary. */
  jobs: readonly { filename: string; operation_key: string; is_done: boolean; error: string | null }[]
}

interface Words {
  subject: string
  greeting: string
  lead: (site: string) => string
  counts: (done: number, failed: number) => string
  done: string
  failed: string
  more: (count: number) => string
  refunded: string
}

const WORDS: Record<Locale, Words> = {
  en: {
    subject: 'Your finished jobs',
    greeting: 'Hello,',
    lead: (site) => `These jobs have finished on ${site}:`,
    counts: (done, failed) => `${done} done, ${failed} failed`,
    done: 'done',
    failed: 'failed',
    more: (count) => `And ${count} more.`,
    refunded: 'Failed jobs cost nothing: their bonuses were returned to your balance.',
  },
  uk: {
    subject: 'Ваші завершені завдання',
    greeting: 'Вітаємо!',
    lead: (site) => `На ${site} завершилися ці завдання:`,
    counts: (done, failed) => `Готово: ${done}, з помилкою: ${failed}`,
    done: 'готово',
    failed: 'помилка',
    more: (count) => `І ще ${count}.`,
    refunded: 'За завдання з помилкою плата не береться: бонуси повернуто на ваш баланс.',
  },
  ru: {
    subject: 'Ваши завершенные задания',
    greeting: 'Здравствуйте!',
    lead: (site) => `На ${site} завершились эти задания:`,
    counts: (done, failed) => `Готово: ${done}, с ошибкой: ${failed}`,
    done: 'готово',
    failed: 'ошибка',
    more: (count) => `И еще ${count}.`,
    refunded: 'За задания с ошибкой плата не берется: бонусы возвращены на ваш баланс.',
  },
}

/** Writes the summary of the jobs that have finished since the previous summary. */
export function writeJobSummary(
  { done, failed, jobs }: JobSummary,
  locale: Locale,
  site: string,
  unsubscribe_url: string,
): EmailContent {
  const words = WORDS[locale]
  const others = done + failed - jobs.length
  const list = jobs.map(({ filename, operation_key, is_done, error }) => ({
    title: `${filename} (${operation_key})`,
    outcome: is_done ? words.done : [words.failed, ...(error === null ? [] : [error])].join(' – '),
    is_good: is_done,
  }))
  return {
    subject: words.subject,
    greeting: words.greeting,
    blocks: [
      words.lead(site),
      { figure: words.counts(done, failed) },
      { list },
      ...(others > 0 ? [words.more(others)] : []),
      ...(failed > 0 ? [words.refunded] : []),
    ],
    unsubscribe_url,
  }
}
