import { useMutation } from '@tanstack/preact-query'
import type { Session } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { ErrorNotice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatDateTime } from '../../text/format.ts'
import { isolate } from '../../text/isolate.ts'
import styles from '../keys/keys.module.css'
import panel from '../panel.module.css'

const texts = defineTexts({
  en: {
    unknown: 'Unknown device',
    on: ' on ',
    network: (network: string) => `network ${network}`,
    used: (time: string) => `last used ${time}`,
    current: 'This device',
    end: 'End',
  },
  uk: {
    unknown: 'Невідомий пристрій',
    on: ' на ',
    network: (network: string) => `мережа ${network}`,
    used: (time: string) => `востаннє використано ${time}`,
    current: 'Цей пристрій',
    end: 'Завершити',
  },
  ru: {
    unknown: 'Неизвестное устройство',
    on: ' на ',
    network: (network: string) => `сеть ${network}`,
    used: (time: string) => `последнее использование: ${time}`,
    current: 'Это устройство',
    end: 'Завершить',
  },
})

/** One session: its device, network and last use. All except the session of this page can be ended here. */
export function SessionRow({ session, onEnd }: { session: Session; onEnd: () => Promise<unknown> }) {
  const t = texts()
  const { id, network, last_used_at, is_current } = session
  const device = session.device?.replace(' on ', t.on) ?? t.unknown
  const ending = useMutation({ mutationFn: () => media.value.auth.endSession(id), onSettled: onEnd })
  const details = [
    ...(network === null ? [] : [t.network(isolate(network))]),
    t.used(formatDateTime(last_used_at)),
  ]
  return (
    <li>
      <div class={styles.key}>
        <p class={styles.name}>
          <bdi>{device}</bdi>
          {is_current && <span class={styles.state}>{t.current}</span>}
        </p>
        <p class={panel.quiet}>{details.join(' · ')}</p>
      </div>
      {!is_current && (
        <Button
          look="danger"
          isBusy={ending.isPending}
          aria-label={`${t.end}: ${isolate(device)}`}
          onClick={() => ending.mutate()}
        >
          {t.end}
        </Button>
      )}
      {ending.error && <ErrorNotice error={ending.error} />}
    </li>
  )
}
