import type { LedgerRow } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { usePages } from '../../api/pages.ts'
import { Button } from '../../design/button.tsx'
import { classes } from '../../design/classes.ts'
import { RetryNotice } from '../../design/retry-notice.tsx'
import { Skeleton } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatDateTime, formatNumber } from '../../text/format.ts'
import { nameEntry } from '../credit-words.ts'
import panel from '../panel.module.css'
import { Panel } from '../panel.tsx'
import styles from './overview.module.css'

const texts = defineTexts({
  en: { title: 'Balance history', more: 'Load more', empty: 'Nothing has changed the balance yet.' },
  uk: { title: 'Історія балансу', more: 'Показати ще', empty: 'Баланс іще не змінювався.' },
  ru: { title: 'История баланса', more: 'Показать еще', empty: 'Баланс еще не менялся.' },
})

const ROWS = 10

/** Lists what changed the balance, newest first. */
export function LedgerPanel() {
  const t = texts()
  const ledger = usePages<LedgerRow>(['ledger'], (limit) => media.value.billing.listLedger({ limit }), ROWS)
  return (
    <Panel title={t.title}>
      {ledger.isPending && <Skeleton height="12rem" />}
      {ledger.error !== null && <RetryNotice error={ledger.error} onRetry={ledger.retry} />}
      {ledger.items?.length === 0 && <p class={panel.quiet}>{t.empty}</p>}
      {ledger.items && ledger.items.length > 0 && (
        <ul class={panel.list}>
          {ledger.items.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
      {ledger.hasMore && (
        <Button isBusy={ledger.isLoadingMore} onClick={ledger.loadMore}>
          {t.more}
        </Button>
      )}
    </Panel>
  )
}

function Row({ row: { entry_type, amount, created_at, job_id, note } }: { row: LedgerRow }) {
  const name = nameEntry(entry_type)
  return (
    <li>
      <span>
        {job_id ? <a href={`/jobs/${job_id}`}>{name}</a> : name}
        {note && <span class={styles.expiry}>{note}</span>}
        <span class={styles.expiry}>{formatDateTime(created_at)}</span>
      </span>
      <strong class={classes(styles.amount, amount > 0 && styles.gain)}>
        {amount > 0 ? '+' : ''}
        {formatNumber(amount)}
      </strong>
    </li>
  )
}
