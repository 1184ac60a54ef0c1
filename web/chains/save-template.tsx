import { media, queries } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { showToast } from '../design/toasts.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isolate } from '../text/isolate.ts'
import { type Chain, templateName, templateOf } from './chain.ts'

const texts = defineTexts({
  en: {
    title: 'Save as template',
    name: 'Name',
    name_hint: 'Lowercase letters, digits, _ and -. Programs run the template by this name.',
    description: 'Description',
    save: 'Save',
    saved: (name: string, version: number) => `Saved ${name}, version ${version}`,
  },
  uk: {
    title: 'Зберегти як шаблон',
    name: 'Назва',
    name_hint: 'Малі латинські літери, цифри, _ і -. За цією назвою шаблон запускають програми.',
    description: 'Опис',
    save: 'Зберегти',
    saved: (name: string, version: number) => `Збережено ${name}, версія ${version}`,
  },
  ru: {
    title: 'Сохранить как шаблон',
    name: 'Название',
    name_hint: 'Строчные латинские буквы, цифры, _ и -. По этому названию шаблон запускают программы.',
    description: 'Описание',
    save: 'Сохранить',
    saved: (name: string, version: number) => `Сохранено: ${name}, версия ${version}`,
  },
})

type Values = Record<'name' | 'description', string>

/** Dialog that saves a chain under a name. An existing name gets a new version. */
export function SaveTemplate({ chain, onClose }: { chain: Chain; onClose: () => void }) {
  const t = texts()
  async function save({ description }: Values, form: HTMLFormElement) {
    // Enter submits the form before the field loses the focus.
    correct(form.elements.namedItem('name') as HTMLInputElement)
    if (!form.reportValidity()) return
    const name = String(new FormData(form).get('name'))
    const { version } = await media.value.templates.save(name, templateOf(chain, description || null))
    void queries.invalidateQueries({ queryKey: ['templates'] })
    showToast(t.saved(isolate(name), version))
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form fields={['name', 'description']} submit={save}>
        {({ faults, isBusy }) => (
          <>
            <TextField
              label={t.name}
              hint={t.name_hint}
              name="name"
              required
              maxLength={64}
              fault={faults.name}
              onBlur={({ currentTarget }) => correct(currentTarget)}
            />
            <TextField label={t.description} name="description" maxLength={200} fault={faults.description} />
            <Button look="primary" type="submit" isBusy={isBusy}>
              {t.save}
            </Button>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function correct(input: HTMLInputElement): void {
  input.value = templateName(input.value)
}
