import '@mantine/core/styles/Stepper.layer.css';
import { Button, Group, Stepper } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { createCampaign } from '#client/sdk.gen.js';
import type { CreateCampaignRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { stateOf } from '../../catalog/assistant-state.js';
import { assistantsQuery, phoneNumbersQuery } from '../../catalog/queries.js';
import { Form } from '../../components/inputs/form.js';
import { Page } from '../../components/page/page.js';
import { Problem } from '../../components/states/problem.js';
import { LeaveGuard } from '../../forms/leave-guard.js';
import { SchemaFields } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';
import { useCampaignForm, WHO_FIELDS, WhenFields, WhoFields } from './campaign-fields.js';
import classes from './campaigns.module.css';
import { LeadsStep } from './leads-step.js';

const LEADS_STEP = 2;

/** Wizard in three steps. The campaign is created before the upload of its contacts. */
export function NewCampaignPage() {
  const t = useTexts('campaigns');
  const navigate = useNavigate();
  const [step, setStep] = useState(0);
  const [campaignId, setCampaignId] = useState<number | null>(null);
  const { schemaForm, create } = useNewCampaign((id) => {
    setCampaignId(id);
    setStep(LEADS_STEP);
  }, setStep);
  const { form } = schemaForm;
  useOnlyNumber((id) => form.setFieldValue('phone_number_ids', [id]));
  useOnlyCaller((id) => form.setFieldValue('assistant_id', id));
  const submit = () => {
    const wrong = Object.keys(form.validate().errors);
    const isWhoWrong = wrong.some((path) => WHO_FIELDS.includes(path));
    if (step === 0) {
      if (!isWhoWrong) setStep(1);
    } else if (isWhoWrong) setStep(0);
    else if (wrong.length === 0) create.mutate(form.values as unknown as CreateCampaignRequest);
  };
  const open = () =>
    void navigate({ to: '/campaigns/$id', params: { id: String(campaignId) }, ignoreBlocker: true });
  const steps = [
    { name: t.form.steps.who, hint: t.form.whoHint },
    { name: t.form.steps.when, hint: t.form.whenHint },
    { name: t.form.steps.leads, hint: t.form.leadsHint },
  ];
  return (
    <Page title={t.add}>
      <div className={classes.form}>
        <Stepper
          active={step}
          size="sm"
          className={classes.steps}
          onStepClick={setStep}
          allowNextStepsSelect={false}
        >
          {steps.map(({ name, hint }, at) => (
            <Stepper.Step
              key={name}
              label={name}
              description={hint}
              // A created campaign is edited on its own page.
              allowStepSelect={at < step && campaignId === null}
            />
          ))}
        </Stepper>
        {campaignId === null ? (
          <SchemaFields schemaForm={schemaForm} texts={t.fields}>
            <Form onSubmit={submit} noValidate>
              {step === 0 ? <WhoFields /> : <WhenFields />}
              {create.error && Object.keys(form.errors).length === 0 && <Problem error={create.error} />}
              <Group justify="space-between" mt="md">
                {step === 1 ? (
                  <Button variant="default" onClick={() => setStep(0)}>
                    {t.form.back}
                  </Button>
                ) : (
                  <span />
                )}
                <Button type="submit" loading={create.isPending}>
                  {step === 0 ? t.form.next : t.form.create}
                </Button>
              </Group>
            </Form>
          </SchemaFields>
        ) : (
          <LeadsStep campaignId={campaignId} onDone={open} />
        )}
      </div>
      <LeaveGuard isDirty={campaignId === null && form.isDirty()} />
    </Page>
  );
}

function useNewCampaign(onMade: (id: number) => void, toStep: (step: number) => void) {
  const queries = useQueryClient();
  const schemaForm = useCampaignForm();
  const create = useMutation({
    mutationFn: async (body: CreateCampaignRequest) => (await dataOf(createCampaign, { body })).data,
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      onMade(id);
    },
    onError: (error) => {
      if (schemaForm.showRefusal(error).some((path) => WHO_FIELDS.includes(path))) toStep(0);
    },
  });
  return { schemaForm, create };
}

/** The only number that an account has is the one that its campaigns call from. */
function useOnlyNumber(choose: (id: number) => void): void {
  const { data: numbers } = useQuery(phoneNumbersQuery);
  useOnly(numbers, choose);
}

/** The only assistant that may call is the one that calls. */
function useOnlyCaller(choose: (id: number) => void): void {
  const { data: assistants } = useQuery(assistantsQuery);
  useOnly(
    assistants?.filter((each) => each.type === 'outbound' && stateOf(each) !== 'deactivated'),
    choose,
  );
}

/** Chooses where there is no choice, once: what a person clears afterwards stays empty. */
function useOnly(all: readonly { readonly id: number }[] | undefined, choose: (id: number) => void): void {
  const isDone = useRef(false);
  const only = all?.length === 1 ? all[0]?.id : undefined;
  useEffect(() => {
    if (only === undefined || isDone.current) return;
    isDone.current = true;
    choose(only);
  });
}
