import { useMutation } from '@tanstack/preact-query'
import { Download } from 'lucide-preact'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { saveBlob } from '../../design/save-blob.ts'
import { ErrorNotice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { Panel } from '../panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Export',
    lead: 'A JSON file with everything that is stored about your account, without secrets. At most three a day.',
    download: 'Download the file',
  },
  uk: {
    title: 'Експорт',
    lead: 'Файл JSON з усім, що збережено про ваш обліковий запис, без секретів. Не більше трьох на добу.',
    download: 'Завантажити файл',
  },
  ru: {
    title: 'Экспорт',
    lead: 'Файл JSON со всем, что хранится о вашем аккаунте, без секретов. Не больше трех в сутки.',
    download: 'Скачать файл',
  },
})

/** Downloads everything that is stored about the account. */
export function ExportPanel() {
  const t = texts()
  const download = useMutation({
    mutationFn: async () => {
      const content = await media.value.auth.exportAccount()
      const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' })
      saveBlob(blob, `account-${content.exported_at.slice(0, 10)}.json`)
    },
  })
  return (
    <Panel title={t.title} lead={t.lead}>
      {download.error && <ErrorNotice error={download.error} />}
      <div>
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          <Download size={18} aria-hidden />
          {t.download}
        </Button>
      </div>
    </Panel>
  )
}
