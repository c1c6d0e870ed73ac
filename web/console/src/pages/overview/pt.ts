export const overviewPt = {
  title: 'Visão geral',
};
