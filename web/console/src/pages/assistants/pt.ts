export const assistantsPt = {
  title: 'Assistentes',
};
