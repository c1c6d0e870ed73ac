/** The module (folder of `src/modules`) that owns each table without an entity; the others belong to where their entity is. */
export const TABLE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  allowances: ['daily_usage'],
  calls: [
    'call_count_changes',
    'call_counts',
    'call_dimension_totals',
    'call_routing_counts',
    'call_totals',
    'call_words',
    'call_words_backlog',
  ],
  conversations: ['conversation_words'],
  'encryption-keys': ['encryption_keys'],
  files: ['file_readers'],
  health: ['database_backups'],
  leads: ['lead_count_changes', 'lead_counts'],
};

/** The module that owns each function of the database: what it may touch, the function may touch. */
export const FUNCTION_OWNERS: Readonly<Record<string, readonly string[]>> = {
  'active-calls': ['take_call_turn'],
  assistants: ['assistant_version', 'keep_prompt_version', 'note_activation_decision'],
  audit: ['refuse_audit_change'],
  billing: [
    'capture_hold',
    'give_back_hold',
    'hold_money',
    'hold_own_money',
    'hold_visitor_money',
    'refuse_ledger_change',
    'resume_hold',
    'void_hold',
  ],
  calls: [
    'add_call_counts',
    'call_search',
    'change_call_counts',
    'count_added_calls',
    'count_changed_calls',
    'count_removed_calls',
    'forget_call_counts',
    'index_call_words',
    'settle_routing_counts',
    'tell_call_status',
    'words_of_call',
  ],
  campaigns: ['time_in_zone'],
  conversations: [
    'abandon_turn',
    'account_search',
    'begin_turn',
    'conversation_idle_at',
    'end_waiting',
    'finish_turn',
    'folded_text',
    'note_conversation_end',
    'tell_message',
    'turn_history',
    'words_of_account',
  ],
  knowledgebases: ['words_of_knowledgebase'],
  leads: [
    'count_added_leads',
    'count_moved_lead',
    'count_removed_leads',
    'forget_lead_counts',
    'move_lead_dials',
    'step_lead_dials',
  ],
  webhooks: ['is_webhook_wanted', 'webhook_time', 'write_webhook_event'],
};

export interface Exception {
  readonly module: string;
  /** Tables that it reads or locks, or functions that it calls, of other modules. */
  readonly uses: readonly string[];
  readonly why: string;
}

/** Statements that write a table of another module. All other writes go through the owner. */
export const FOREIGN_WRITES: readonly Exception[] = [
  {
    module: 'active-calls',
    uses: ['calls'],
    why: 'An unanswered call ends in one statement, for all such calls of an account at once: it removes the rows of active_calls, and moves the calls to their last state. In two round trips the dialler is measurably slower.',
  },
];

/** Tables that a module reads although another owns them. */
export const FOREIGN_READS: readonly Exception[] = [
  {
    module: 'accounts',
    uses: ['wallets'],
    why: 'GET /user/me shows the account with its balance, in one statement because this is a frequent request.',
  },
  {
    module: 'active-calls',
    uses: ['assistants'],
    why: 'The statement that ends an unanswered call asks whether its assistant has a webhook, so that a call without one ends in one round trip.',
  },
  {
    module: 'active-calls',
    uses: ['calls', 'campaigns'],
    why: 'What is left to do for a call depends on its record: whom it calls, since when, and whether its campaign runs. It is found by a join of both. Campaigns stand above calls.',
  },
  {
    module: 'active-calls',
    uses: ['voice_processes'],
    why: 'A call is given to the voice process with the most room, and taken over from one that is gone, in the statement that decides which. Voice workers stand above active calls.',
  },
  {
    module: 'alerts',
    uses: ['assistants'],
    why: 'The list of alerts shows the name of each assistant. Assistants stand above alerts, through visitors.',
  },
  {
    module: 'allowances',
    uses: ['users'],
    why: 'Usage is added in one statement, which adds nothing for an account that was deleted in the meantime.',
  },
  {
    module: 'assistants',
    uses: ['assistant_mcp_tools', 'knowledgebases', 'mcp_servers', 'mcp_tools', 'tools'],
    why: 'The version of a compiled assistant, which each chat turn asks for, changes with its tools and knowledge base. Tools are locked while they are attached, so that none is deleted in that time.',
  },
  {
    module: 'auth',
    uses: ['api_keys', 'members'],
    why: 'Each request of a browser asks for its session, and what the session may do is said by the key it was begun with or the role of its member.',
  },
  {
    module: 'billing',
    uses: ['active_calls'],
    why: 'A settled hold that a call still refers to is not deleted. Calls stand above billing.',
  },
  {
    module: 'calls',
    uses: ['active_calls'],
    why: 'A call that is on cannot be deleted or erased, and turns are added only under its lease. Checked in the statements themselves, so that nothing comes in between. Lists of live calls show who has each customer and who waits, in one statement for a page. Active calls stand above calls.',
  },
  {
    module: 'calls',
    uses: ['campaigns', 'leads'],
    why: 'The webhook of a call tells of its lead and its campaign. Both modules stand above calls.',
  },
  {
    module: 'calls',
    uses: ['dial_attempts'],
    why: 'A call cannot be deleted while the next step of its lead depends on it. Checked in the DELETE itself, so that nothing comes in between.',
  },
  {
    module: 'campaigns',
    uses: [
      'account_paces',
      'active_calls',
      'assistants',
      'lead_dials',
      'leads',
      'phone_numbers',
      'sip_trunk_states',
      'sip_trunks',
      'trunk_paces',
    ],
    why: 'A claim decides which campaigns have room, locks the leads that are due and picks their caller numbers in one statement, because claims are the most frequent writes of the dialler.',
  },
  {
    module: 'campaigns',
    uses: ['calls'],
    why: 'The dialler finds attempts whose call has ended by a join of both, and asks for the call in the statement that marks its attempt.',
  },
  {
    module: 'conversations',
    uses: ['assistants', 'members'],
    why: 'The idle time of a conversation is a setting of its assistant, and each turn sets it within its own statement. What is to be done after its end is one as well, and written with the end. A reply keeps the name of the member who wrote it.',
  },
  {
    module: 'folders',
    uses: ['assistants'],
    why: 'A folder shows how many assistants it holds, and is deleted only when it holds none. Assistants stand above folders.',
  },
  {
    module: 'idempotency',
    uses: ['conversations'],
    why: 'The keys of conversations are found by their account when it is deleted. A key names its conversation and no account.',
  },
  {
    module: 'knowledgebases',
    uses: ['assistants'],
    why: 'A knowledge base shows how many assistants use it. Assistants stand above knowledge bases.',
  },
  {
    module: 'leads',
    uses: ['assistants', 'campaigns', 'users'],
    why: 'A lead is shown with the name of its campaign, and begins with the country of the account and the variables of the assistant, in one statement because each new lead asks. Campaigns stand above leads.',
  },
  {
    module: 'person-takeovers',
    uses: ['active_calls', 'calls'],
    why: 'An offer is shown with the names of its call and is accepted only while the call is open, each in one statement.',
  },
  {
    module: 'privacy',
    uses: ['users'],
    why: 'The sweep of what is old walks all accounts together with what each has set.',
  },
  {
    module: 'tools',
    uses: ['assistant_tools'],
    why: 'A tool that an assistant uses cannot be deleted or take the name of another of its tools. Assistants stand above tools.',
  },
  {
    module: 'voice-workers',
    uses: ['active_calls', 'calls'],
    why: 'How much room a voice process has, which process has a call, and which calls wait for its lines, is found by a join with the calls that are on.',
  },
  {
    module: 'web-calls',
    uses: ['active_calls', 'calls'],
    why: 'The token of a call from a browser is redeemed only while the call is on, in one statement that returns the key of its carrier.',
  },
  {
    module: 'webhooks',
    uses: ['assistants'],
    why: 'A delivery refers to its assistant only if it still exists; looked up and locked in the INSERT, so that a deletion in between does no harm.',
  },
];

/** Functions that a module calls although another owns them. */
export const FOREIGN_CALLS: readonly Exception[] = [
  {
    module: 'calls',
    uses: ['folded_text', 'words_of_account'],
    why: 'Calls are found by the words of their transcripts as conversations are by their messages: with the same folding, so that a search means the same in both.',
  },
  {
    module: 'calls',
    uses: ['is_webhook_wanted', 'webhook_time', 'write_webhook_event'],
    why: 'A trigger writes each new state of a call for the webhook endpoints of its account, in the statement that moves the call.',
  },
  {
    module: 'active-calls',
    uses: ['is_webhook_wanted'],
    why: 'The statement that ends a call asks whether a webhook endpoint wants its end.',
  },
  {
    module: 'active-calls',
    uses: ['void_hold'],
    why: 'An unanswered call ends in one statement, which gives its money back.',
  },
  {
    module: 'campaigns',
    uses: ['move_lead_dials', 'step_lead_dials'],
    why: 'A claim writes its attempts and marks their leads in one statement, and so does their end.',
  },
  {
    module: 'conversations',
    uses: ['capture_hold', 'hold_money', 'resume_hold', 'void_hold'],
    why: 'A chat turn stores its message and holds its price in one round trip.',
  },
  {
    module: 'conversations',
    uses: ['assistant_version'],
    why: 'A chat turn begins in one round trip, if its assistant is still the one that was compiled.',
  },
  {
    module: 'conversations',
    uses: ['is_webhook_wanted', 'webhook_time', 'write_webhook_event'],
    why: 'A trigger reports each message to the webhook endpoints of its account, in the statement that stores it.',
  },
];
