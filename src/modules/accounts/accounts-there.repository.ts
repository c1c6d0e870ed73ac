/** SQL for a database of which it is not known yet whether it is Prosa's: whether anybody has an account in it. */
export const ARE_ACCOUNTS_THERE = 'SELECT EXISTS (SELECT FROM users) AS there';
