import { withDefaults } from '../../runtime/variables.js';
import type { Variables } from './lead.entity.js';
import type { NewLead } from './new-leads.repository.js';

export const MAX_SECONDARY_CONTACTS = 10;

/** Who to call: a number in E.164, what is known of the person, and whom to try when they are not reached. */
export interface LeadDetails {
  readonly phoneNumber: string;
  readonly variables: Variables;
  readonly secondaryContacts?: readonly LeadDetails[];
}

/** Leads as rows, each primary one followed by its secondary contacts; what is not known comes from `defaults`. */
export function toNewLeads(details: readonly LeadDetails[], defaults: Variables): NewLead[] {
  const rows: NewLead[] = [];
  for (const { phoneNumber, variables, secondaryContacts = [] } of details) {
    const parent = rows.length;
    rows.push({ phoneNumber, variables: withDefaults(defaults, variables), parent: null, position: 0 });
    secondaryContacts.forEach((contact, at) => {
      rows.push({
        phoneNumber: contact.phoneNumber,
        variables: withDefaults(defaults, contact.variables),
        parent,
        position: at + 1,
      });
    });
  }
  return rows;
}

/** Every number of a lead, its own first. */
export function numbersOf({ phoneNumber, secondaryContacts = [] }: LeadDetails): string[] {
  return [phoneNumber, ...secondaryContacts.map((contact) => contact.phoneNumber)];
}
