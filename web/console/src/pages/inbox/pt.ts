export const inboxPt = {
  title: 'Caixa de entrada',
};
