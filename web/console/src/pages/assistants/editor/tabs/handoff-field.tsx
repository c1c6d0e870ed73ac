import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assistantsQuery } from '#web/console/src/catalog/queries.js';
import { AreaField, ItemField, TextField } from '#web/console/src/forms/fields.jsx';
import { ListField } from '#web/console/src/forms/list-field.jsx';
import type { Schema } from '#web/console/src/forms/rules.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { Dimmed } from '#web/console/src/components/dimmed.jsx';
import { HANDOFF_DESTINATION } from '../values.js';

const route = getRouteApi('/shell/assistants/$id');
const { assistant_id: ASSISTANT, description: WHEN, message: MESSAGE } = HANDOFF_DESTINATION.properties ?? {};
export const BLANK_DESTINATION = { assistant_id: null, description: '', message: null };

/** The assistants that may take over, each with when it does. */
export function HandoffField({ path }: { readonly path: string }) {
  const t = useTexts('assistants').builtIn;
  return (
    <>
      <Dimmed>{t.handoffText}</Dimmed>
      <ListField name={path} add={t.addDestination} remove={t.removeDestination} blank={BLANK_DESTINATION}>
        {(at) => (
          <>
            <OtherAssistantField name={`${at}.assistant_id`} schema={ASSISTANT ?? {}} />
            <AreaField name={`${at}.description`} schema={WHEN ?? {}} rows={1} />
            <TextField name={`${at}.message`} schema={MESSAGE ?? {}} />
          </>
        )}
      </ListField>
    </>
  );
}

/** An assistant of the account that is not the one being edited. */
export function OtherAssistantField({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  const { id } = route.useParams();
  const { data: assistants } = useQuery(assistantsQuery);
  const others = assistants?.filter((other) => other.id !== Number(id));
  return <ItemField name={name} schema={schema} items={others} />;
}
