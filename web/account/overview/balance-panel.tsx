import { useQuery } from '@tanstack/preact-query'
import type { Balance } from '../../../client/src/index.ts'
import { useAccount } from '../../api/account.ts'
import { media } from '../../api/media.ts'
import { RetryNotice } from '../../design/retry-notice.tsx'
import { Skeleton } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatDateTime, formatNumber } from '../../text/format.ts'
import { formatCredits } from '../../text/format-credits.ts'
import { nameEntry } from '../credit-words.ts'
import panel from '../panel.module.css'
import { Panel } from '../panel.tsx'
import styles from './overview.module.css'

const texts = defineTexts({
  en: {
    title: 'Balance',
    plan: (name: string) => `Plan: ${name}`,
    no_plan: 'Free plan',
    until: (time: string) => `expires ${time}`,
    forever: 'does not expire',
    next: (credits: string, time: string) => `${credits} more arrive free on ${time}.`,
    empty: 'The balance is empty.',
  },
  uk: {
    title: 'Баланс',
    plan: (name: string) => `Тариф: ${name}`,
    no_plan: 'Безкоштовний тариф',
    until: (time: string) => `діють до ${time}`,
    forever: 'безстрокові',
    next: (credits: string, time: string) => `Ще ${credits} надійдуть безкоштовно: ${time}.`,
    empty: 'Баланс порожній.',
  },
  ru: {
    title: 'Баланс',
    plan: (name: string) => `Тариф: ${name}`,
    no_plan: 'Бесплатный тариф',
    until: (time: string) => `действуют до ${time}`,
    forever: 'бессрочные',
    next: (credits: string, time: string) => `Еще ${credits} поступят бесплатно: ${time}.`,
    empty: 'Баланс пуст.',
  },
})

/** Shows the balance, what it consists of, and when more arrives. */
export function BalancePanel() {
  const t = texts()
  const balance = useQuery({ queryKey: ['balance'], queryFn: () => media.value.billing.getBalance() })
  const plan = useAccount().data?.plan_name
  return (
    <Panel title={t.title} lead={plan ? t.plan(plan) : t.no_plan}>
      {balance.isPending && <Skeleton height="9rem" />}
      {balance.error && <RetryNotice error={balance.error} onRetry={() => void balance.refetch()} />}
      {balance.data && <Content balance={balance.data} />}
    </Panel>
  )
}

function Content({ balance }: { balance: Balance }) {
  const t = texts()
  const { grants, next_allowance } = balance
  return (
    <>
      <p class={styles.balance}>{formatCredits(balance.balance)}</p>
      {grants.length > 0 && (
        <ul class={panel.list}>
          {grants.map(({ entry_type, credits, expires_at }) => (
            <li key={`${entry_type} ${expires_at}`}>
              <span>
                {nameEntry(entry_type)}
                <span class={styles.expiry}>
                  {expires_at ? t.until(formatDateTime(expires_at)) : t.forever}
                </span>
              </span>
              <strong>{formatNumber(credits)}</strong>
            </li>
          ))}
        </ul>
      )}
      {grants.length === 0 && <p>{t.empty}</p>}
      {next_allowance && (
        <p class={panel.quiet}>
          {t.next(formatCredits(next_allowance.credits), formatDateTime(next_allowance.lands_at))}
        </p>
      )}
    </>
  )
}
